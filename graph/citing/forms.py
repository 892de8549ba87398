"""How people write a citation of the Comprehensive Rules, as regular expressions and tables.

Measured on public code that cites them: `CR 603.6a` by far the most, then `Rule 704.5`, `§702.16`,
`CR §702.29`, `MTG 702.36`, `cr_refs: [702.29a, …]`, `"rule": "702.74a"`, `mark.cr("604.3")`, tests named
`cr_702_16c_…` and `TestCR704_5d_…`, lists `CR 613.1d/613.1f`, `CR 704.5f/g/h`, `CR 120.4b-d`, a line's end
between the word and the number. What only looks like one: `1 S.C.R. 688`, `7 CFR § 601.2`, `hash.cr:702`,
`Cr603_table`, `CR 656162`, `rule 110` (an automaton) and rules of other games, `702.2.b`.
"""

from __future__ import annotations

import re

from .records import Form

__all__ = [
    "ADDRESS",
    "ANCHOR",
    "CHAPTER",
    "CORE",
    "GAME",
    "IDENTIFIER",
    "IDENTIFIER_NUMBER",
    "ITEM_GAP",
    "JOINT",
    "LAW",
    "LAWYERLY",
    "LETTERS",
    "LINKED_NUMBER",
    "NEWLINE",
    "OTHERS_AFTER",
    "OTHERS_BEFORE",
    "RANGE",
    "RULES_SITE",
    "SITE_NUMBER",
    "UNIT",
    "form_of",
]

_BLANK = r"(?:[ \t\u00a0\u2000-\u200b\u202f\u2060\u3000~]|&nbsp;|&\#160;|&thinsp;)"
# A line's end, with what begins the next line of a comment, a quotation or a list.
NEWLINE = (
    r"(?:\r\n?|\n)[ \t]{0,200}"
    r"(?:(?://[/!]?|\*(?!/)|\#{1,6}|--(?:\s\|)?|-(?=[ \t])|;{1,4}|%{1,2}|>{1,3}|'|\|)[ \t]{0,40})?"
)
_TAG = r"<[^<>\n]{0,160}>"
_SPACE = rf"(?:{_BLANK}|{NEWLINE})"
_DASH = r"(?:--?|[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]|&[nm]dash;|&\#821[12];)"

# Not inside a longer number, version, date, word or hash.
_END = r"(?![A-Za-z0-9%\u00b0]|_[A-Za-z0-9]|[.,:][0-9]|\.[A-Za-z](?![A-Za-z.])|/[0-9]{1,2}/)"
_NUMBER = r"[1-9][0-9]{2}\.[0-9]{1,3}"
_LETTER = r"(?:[aA]?[a-zA-Z])"  # after z comes aa

CORE = re.compile(
    rf"(?P<section>[1-9][0-9]{{2}})"
    rf"(?:\.(?P<rule>[1-9][0-9]{{0,2}})(?:(?P<letter>{_LETTER})|\((?P<inner>[a-z])\))?)?{_END}"
)
"""A number as it is written: section, rule, letter (or, in brackets, inner)."""

UNIT = re.compile(
    r"\s?(?:USD|EUR|GBP|CAD|AUD|[€£$¥]|px|pt|r?em|mm|cm|km|kg|lbs?|ms|sec|secs|seconds?|min(?:utes|s)?|hours?"
    r"|[kKMGT]i?B|bytes?|[kMG]?Hz|[mb]illion|percent|degrees?)\b"
)
"""What after a number without a letter makes it an amount."""

_AFTER_WORD = r"(?:(?:numbers?|nos?\.|no|nr\.?|№)(?![A-Za-z])|\#|§{1,2}|&sect;|&\#167;)"
_GLUE = rf"(?:{_SPACE}|{_TAG}|{_AFTER_WORD}|[*_`(\[:{{|\u201c\u2018=]|\\?[\"']|(?<=[a-zA-Z])[->]\Z)"
_CR = (
    r"(?<![A-Za-z0-9.$\\/-])(?<![A-Za-z0-9]_)(?:mtg[ _-]?)?"
    r"(?:CRs?|C\.{s}?R\.|comp(?:rehensive|\.)?(?:{s}+|_)?rules?)"
    r"|(?<=\.)cr(?=\([\"'])|(?<![A-Za-z0-9])mtg(?={s}*\Z)"
).replace("{s}", _SPACE)
_RULE = (
    r"(?<![A-Za-z0-9.$\\])(?<![A-Za-z0-9]_)(?:(?:sub-?)?rules?|reg(?:eln?|las?|ol[ae]|ras?)|r[eè]gles?|правил\w{0,3}|ルール|規則|规则|規定|steps?"
    r"|see(?:{s}+also)?"
    r"|per|under|(?:described|specified|listed|defined|detailed|given){s}+in|exceptions?{s}+to)"
).replace("{s}", _SPACE)
_KEY = (
    r"(?<![A-Za-z0-9])(?:cr|rules?)[_ -]"
    r"(?:refs?|ids?|numbers?|nums?|cit(?:e|ation)s?|references?)(?=[\"':= ])"
)
_SECTION = r"(?<![A-Za-z0-9.\\])(?:sections?|sect?\.)|§{1,2}|&sect;|&\#(?:167|xa7);"
ANCHOR = re.compile(
    rf"(?:(?P<cr>(?:{_CR})(?:{_SPACE}(?:rules?|sections?)(?![A-Za-z]))?)|(?P<key>{_KEY})|(?P<rule>{_RULE})|(?P<sign>{_SECTION}))"
    rf"(?P<glue>{_GLUE}*)\Z",
    re.IGNORECASE,
)
"""The word before a number that makes it a citation, and what stands between; searched in what precedes."""

IDENTIFIER = re.compile(r"(?:(?<![A-Za-z0-9])(?:cr|rule|CR|RULE|Cr|Rule)|(?<=[a-z])(?:CR|Rule))[_-]?\Z")
"""The beginning of a name in code that has a number: cr_702_16c_…, TestCR704_5d, cr-702-19."""

IDENTIFIER_NUMBER = re.compile(
    r"(?P<section>[1-9][0-9]{2})(?P<dot>[_-])(?P<rule>[1-9][0-9]{0,2})(?P<letter>[a-zA-Z])?"
    r"(?![A-Za-z0-9.]|(?P=dot)[0-9])"
)

RANGE = re.compile(
    rf"(?P<gap>(?P<blank>{_BLANK}?){_DASH}{_SPACE}?|\.\.\.?|…|{_SPACE}(?:to|through|thru|bis|à|hasta|até){_SPACE})(?:{_AFTER_WORD}?)"
    rf"(?:(?P<whole>[1-9][0-9]{{2}}(?:\.[1-9][0-9]{{0,2}}{_LETTER}?)?)"
    rf"|(?P<rule>[1-9][0-9]{{0,2}})|(?P<letter>{_LETTER})){_END}",
)
"""How a number goes on as a range; which of the three fits depends on the number."""

LETTERS = re.compile(
    rf"(?:[/,&+]|,?{_BLANK}(?:and|or|&){_BLANK}|,{_BLANK}(?=[b-z](?:[,;.)\]]|\s*\Z|[\r\n]|{_BLANK}(?:and|or){_BLANK}[b-z]\b)))"
    rf"(?P<letter>[b-km-np-z]){_END}(?!['’])"
)
"""A further letter of the same rule: 704.5f/g, 704.5f and g."""

ITEM_GAP = re.compile(
    rf"(?:{_SPACE}{{0,2}}\([^()\n0-9]{{1,48}}\)|,?{_BLANK}?[\"“][^\"”\n]{{1,60}}[\"”])?"
    rf"(?:{_SPACE}|[,;/+&|()\[\]*`\"'→]|&amp;|{_TAG}"
    r"|\b(?:and|or|et|y|e|o|ou|und|oder|sowie|also|plus|then|see|cf\.?|with|vs\.?|via|per|as|well|through|to|both)\b){1,12}"
)
"""What may stand between two numbers of one list, the second without a word of its own."""

CHAPTER = re.compile(rf"(?<=[sS])ection{_SPACE}{{1,2}}(?P<number>[1-9])(?=,?{_SPACE}?[\"“][A-Z])")
"""A chapter, which only its title beside it makes one: section 8, “Multiplayer Rules.”"""

JOINT = re.compile(f"{_TAG}|{NEWLINE}")
"""What may stand between a word and its number and says nothing: a tag, a line's end."""

LINKED_NUMBER = re.compile(r"\]\(|\]\[|\]:")
ADDRESS = re.compile(r"https?://[^\s\"'<>)\]\\`|]{4,300}")
RULES_SITE = re.compile(
    r"https?://(?:[\w-]+\.)*(?:yawgatog|academyruins|vensersjournal|wizards|magicjudges|mtg[\w-]*|magic[\w-]*|scryfall"
    r"|(?:mtg|magic)[\w-]*\.(?:fandom|gamepedia))\.",
    re.IGNORECASE,
)
SITE_NUMBER = re.compile(
    r"(?:[#/](?:R|rule[-_/]?|rules[/_-]|cr[-_/]?)?|[?&](?:q|cr|rule|number|section)=)"
    r"(?P<number>(?P<section>[1-9][0-9]{2})(?:[.-]?(?P<rule>[1-9][0-9]{0,2})(?P<letter>[a-z]{1,2})?)?)"
    r"(?=[/?#&]|[.,;:!]*$)",
    re.IGNORECASE,
)
"""Where an address of a page of rules has its number: #R70219b, /cr/702.19b, ?rule=702.19."""

GAME = re.compile(
    r"\b(?:mtg|magic: ?the|comp(?:rehensive)?[ _-]?rules|planeswalkers?|graveyards?|battlefield|deathtouch"
    r"|untap|mana|creatures?|state-based|(?:activated|triggered|static) abilit|keyword (?:action|abilit)"
    r"|(?-i:CR|cr(?=_))[ _§]{0,2}[1-9][0-9]{2}[._][1-9])",
    re.IGNORECASE,
)
"""Words that show a text to be about the game."""

LAW = re.compile(
    r"(?:\bC\.?F\.?R\.?|\bU\.?S\.?C\.?(?:A\.?)?|\b[A-Z]{0,3}MR|\bCCR|\bStat\.?|\bCode|\bRegs?\.?|\bAct|\bAnn\.?|\bRSA"
    r"|\bLaws?|\bI\.?R\.?C\.?|\bCourt|\bEvidence|\bProcedure|\bProc\.?|\bCiv\.?|\bCrim\.?|\bBankr\w*\.?|\bEvid\.?"
    r"|\bFINRA|\bNYSE|\bNasdaq|\bSEC|\bESLint|\bSemgrep|\bfirewall|\bautomat(?:on|a)|\bWolfram'?s?"
    r"|\bCSS|\biptables|\bTitle [0-9]+,?|\bMTR|\bIPG|\bJAR|\bRFC ?[0-9]*,?)[,:]?\s*Â?\Z"
)
"""What right before the word says that it is another body of rules."""

OTHERS_BEFORE = re.compile(r"\b(?!CRs?\b|MTG\b)[A-Z]{2,6},?\s*\Z")
OTHERS_AFTER = re.compile(
    r",?\s(?:of\s(?:the\s)?)?(?!CR\b|MTG\b)(?:[A-Z]{2,6}|[A-Z][a-z]{1,2}(?:GB|PO|VO))\b"
)
"""Somebody else's rules by initials, before the word or after the number: NEC § 702.4, § 119.1 BGB."""

LAWYERLY = re.compile(
    r"\b(?:C\.F\.R|CFR|U\.S\.C|USC §|DCMR|plaintiff|defendant|statut(?:e|ory)|Fed\. R"
    r"|Rules? of (?:Civil|Evidence)|FINRA|cellular automat)"
)


def form_of(anchor: re.Match[str]) -> Form:
    """The form that the word before a number gives it."""
    if anchor["cr"]:
        return "CR"
    return "section sign" if anchor["sign"] else "rule"
