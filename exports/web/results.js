// What an answer looks like: a table with links into this site, yes or no, a graph as text, or what went wrong.

import { el } from "./dom.js";

const PAGE = 500;

/** The short form of an IRI, or the IRI in brackets, as SPARQL writes them. */
function compact(iri, prefixes) {
  let best = "";
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    const local = iri.slice(namespace.length);
    if (iri.startsWith(namespace) && namespace.length > (prefixes[best] ?? "").length
      && /^[\w:](?:[\w.:-]*[\w:-])?$/.test(local)) best = prefix;
  }
  return best ? `${best}:${iri.slice(prefixes[best].length)}` : `<${iri}>`;
}

/** Where a link to an IRI of the data goes: a path of this site. */
function address(iri, base) {
  const [path, ...fragment] = iri.slice(base.length).split("#");
  return "/" + [path.split("/").map(encodeURIComponent).join("/"), ...fragment.map(encodeURIComponent)].join("#");
}

/** One term: a link for an IRI of ours, text for all else. */
function termNode(term, about) {
  if (term.type === "uri") {
    const text = compact(term.value, about.prefixes);
    return term.value.startsWith(about.base) ? el("a", { href: address(term.value, about.base) }, text) : text;
  }
  if (term.type === "bnode") return `_:${term.value}`;
  if (term.type === "triple") {
    const { subject, predicate, object } = term.value;
    return el("span", {}, ...[subject, predicate, object].flatMap((part) => [termNode(part, about), " "]));
  }
  const kind = term["xml:lang"] ?? (term.datatype && compact(term.datatype, about.prefixes));
  return kind ? el("span", { title: kind }, term.value) : term.value;
}

function isNumber(term) {
  return term?.datatype !== undefined && term.value.trim() !== "" && Number.isFinite(Number(term.value));
}

/** Numbers by value, all else as text; what is not there comes last. */
function compare(a, b) {
  if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
  if (isNumber(a) && isNumber(b)) return Number(a.value) - Number(b.value);
  return a.value.localeCompare(b.value, undefined, { numeric: true });
}

/** A table that shows its rows in pages and sorts by a column whose heading is pressed. */
function table({ head, results }, about) {
  const names = head.vars;
  let rows = results.bindings;
  let shown = 0;
  const body = el("tbody");
  const more = el("button", { type: "button", onclick: () => show() });
  const headings = names.map((name) => el("th", { scope: "col" }, el("button", { type: "button", onclick: () => sort(name) }, name)));

  function show() {
    for (const row of rows.slice(shown, shown + PAGE)) {
      body.append(el("tr", {}, ...names.map((name) => el("td", { class: isNumber(row[name]) && "n" }, row[name] && termNode(row[name], about)))));
    }
    shown = Math.min(shown + PAGE, rows.length);
    more.hidden = shown === rows.length;
    more.textContent = `Show more (${(rows.length - shown).toLocaleString("en")} left)`;
  }

  function sort(name) {
    const heading = headings[names.indexOf(name)];
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows = results.bindings.toSorted((a, b) => (down ? -1 : 1) * compare(a[name], b[name]));
    body.replaceChildren();
    shown = 0;
    show();
  }

  show();
  return [el("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Rows" }, el("table", {}, el("thead", {}, el("tr", {}, ...headings)), body)), more];
}

/** The nodes that show an answer of `/sparql`, and a line that says what it is. */
export async function answer(response, about) {
  const text = await response.text();
  if (!response.ok) {
    return { said: `The query was not answered (${response.status})`, nodes: [el("pre", { class: "error", role: "alert" }, text.trim())] };
  }
  if (!(response.headers.get("Content-Type") ?? "").startsWith("application/sparql-results+json")) {
    return { said: "A graph, as Turtle", nodes: [el("pre", { class: "words", tabindex: "0" }, text)] };
  }
  const result = JSON.parse(text);
  if ("boolean" in result) return { said: result.boolean ? "Yes" : "No", nodes: [] };
  const count = result.results.bindings.length;
  const said = `${count.toLocaleString("en")} row${count === 1 ? "" : "s"}`;
  return { said, nodes: count ? table(result, about) : [] };
}
