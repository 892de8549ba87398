// How a name goes on, in the editor and in the fields of a query's parameters; the server knows the names.

import { el } from "./dom.js";

const KINDS = { card: ["cards"], keyword: ["keywords"], rule: ["rules"], cr: ["rules"], type: ["types"], term: ["terms"] };

/** Kinds of names that begin with a prefix: of our data, else classes or properties of a vocabulary. */
function kindsOf(prefix, local, before) {
  if (Object.hasOwn(KINDS, prefix)) return KINDS[prefix];
  if (/(^|[\s;,{])(a|rdf:type)\s+$/.test(before)) return ["classes"];
  return /^[A-Z]/.test(local) ? ["classes", "properties"] : ["properties", "classes"];
}

export async function suggestions(kind, typed) {
  const response = await fetch(`/complete?${new URLSearchParams({ kind, q: typed })}`);
  return response.ok ? response.json() : [];
}

async function all(kinds, typed) {
  return (await Promise.all(kinds.map((kind) => suggestions(kind, typed)))).flat();
}

/** What stands before the cursor in its line, as far as it can go on: { from, kinds, typed, write }. */
export function place(line, ch) {
  const text = line.slice(0, ch);
  const comment = /^[^"'<]*#/.test(text);
  if (comment) return null;
  let match = /\bPREFIX\s+([\w-]*:?)$/i.exec(text);
  if (match) {
    return { from: ch - match[1].length, kinds: ["prefixes"], typed: match[1], write: ({ name, iri }) => `${name} <${iri}>`, shown: true };
  }
  if ((text.match(/(?<!\\)"/g) ?? []).length % 2) {
    const from = text.lastIndexOf('"') + 1;
    const closed = line[ch] === '"' ? "" : '"';
    return { from, kinds: ["cards", "keywords"], typed: text.slice(from), write: ({ label }) => label.replace(/["\\]/g, "\\$&") + closed };
  }
  match = /(?<![\w?$:<-])([a-z]+):([\w.:%-]*)$/.exec(text);
  if (match) {
    const kinds = kindsOf(match[1], match[2], text.slice(0, match.index));
    return { from: match.index, kinds, typed: match[0], write: ({ name }) => name, shown: match[2] !== "" || !Object.hasOwn(KINDS, match[1]) };
  }
  match = /(?<![\w?$:<@.-])[A-Za-z][\w-]+$|(?<![\w?$:<@.-])\d{3}[\w.]*$/.exec(text);
  if (!match) return null;
  const kinds = ["prefixes", "properties", "classes", "keywords", "rules", "cards"];
  return { from: match.index, kinds, typed: match[0], write: ({ name }) => name };
}

/** Our completers in place of those of YASQE: one that shows itself as one types, one that waits for Ctrl-Space. */
export function register(Yasqe) {
  Yasqe.defaults.autocompleters = ["variables"]; // no others: they ask prefix.cc and LOV
  let picked = ""; // what was picked last, from either, and is not to be asked about at once
  for (const shown of [true, false]) {
    const here = (yasqe) => {
      const { line, ch } = yasqe.getDoc().getCursor();
      const found = place(yasqe.getDoc().getLine(line), ch);
      return found && Boolean(found.shown) === shown && found.typed !== picked ? found : null;
    };
    let known = new Map();
    const pick = (yasqe, data, { text, from, to }) => {
      picked = text;
      yasqe.replaceRange(text, from, to, "complete");
    };
    Yasqe.registerAutocompleter({
      name: shown ? "names" : "words",
      bulk: false,
      autoShow: shown,
      persistenceId: null,
      isValidCompletionPosition: (yasqe) => here(yasqe) !== null,
      preProcessToken: (yasqe, token) => {
        const found = here(yasqe);
        return found && { ...token, found, from: { ch: found.from }, to: { ch: yasqe.getDoc().getCursor().ch } };
      },
      get: async (yasqe, { found }) => {
        let names = await all(found.kinds, found.typed);
        // What is complete stays as it is when Enter is pressed, and alone needs no list.
        const whole = names.filter(({ name }) => name === found.typed);
        names = [...whole, ...names.filter(({ name }) => name !== found.typed)];
        if (whole.length === names.length) names = [];
        known = new Map(names.map((suggestion) => [found.write(suggestion), suggestion]));
        return [...known.keys()];
      },
      postprocessHints: (yasqe, hints) => hints.map((hint) => ({
        ...hint,
        hint: pick,
        render: (item) => item.append(...row(hint.text, known.get(hint.text))),
      })),
    }, true);
  }
}

function row(text, suggestion) {
  const about = [suggestion?.label, suggestion?.note].filter((part) => part && part !== text && !text.endsWith(`:${part}`));
  return [el("b", {}, suggestion?.name ?? text), about.length ? el("small", {}, about.join(" · ")) : ""];
}

/** Let the fields with `data-kind` offer names as one types. */
export function completeFields(root) {
  for (const field of root.querySelectorAll("input[data-kind]")) {
    let last = 0;
    field.addEventListener("input", async () => {
      const asked = ++last;
      const found = await suggestions(field.dataset.kind, field.value);
      if (asked !== last) return;
      field.list.replaceChildren(...found.map(({ name, label, note }) => (
        field.dataset.kind === "rules" ? el("option", { value: note, label: `${note} ${label}` }) : el("option", { value: label })
      )));
    });
  }
}
