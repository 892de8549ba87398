// The query page: the editor of YASGUI where it is there, or the plain text area; both ask /sparql and nothing else.

import { completeFields, register } from "./complete.js";
import { el } from "./dom.js";
import { answer } from "./results.js";

const ACCEPT = "application/sparql-results+json, text/turtle;q=0.9";
const LONGEST = 30000; // characters of an address that all browsers and our server take

const about = JSON.parse(document.querySelector("#about").textContent);
const [form, area, run, stop, status, place] = ["#editor", "#query", "#run", "#stop", "#status", "#answer"].map((id) => document.querySelector(id));
const asked = area.value;
let running = null;

/** The editor of YASGUI in place of the text area, which goes on to hold the text. */
function colored(Yasgui) {
  const { Yasqe } = Yasgui;
  register(Yasqe);
  const holder = el("div", { class: "holder" });
  area.after(holder);
  const yasqe = new Yasqe(holder, {
    value: "",
    consumeShareLink: null,
    createShareableLink: null,
    editorHeight: `${Math.max(area.offsetHeight, 200)}px`,
    extraKeys: { "Ctrl-Enter": ask, "Cmd-Enter": ask, "Ctrl-S": false, Tab: false, "Shift-Tab": false },
    persistenceId: null,
    prefixCcApi: null,
    screenReaderLabel: "SPARQL query",
    showQueryButton: false,
  });
  // Our prefixes are declared for every query; YASQE would call them undefined.
  const mode = yasqe.getMode();
  const start = mode.startState;
  mode.startState = (...given) => ({ ...start(...given), prefixes: { ...about.prefixes } });
  yasqe.setValue(area.value);
  yasqe.clearHistory();
  yasqe.on("change", () => { area.value = yasqe.getValue(); });
  form.querySelector("label").addEventListener("click", () => yasqe.focus());
  area.hidden = true;
  area.required = false;
  return yasqe;
}

/** The address of the page as it is now; of a named query, its name and values as long as its text is as it was. */
function here() {
  return about.named && area.value === asked ? about.named : `/query?${new URLSearchParams({ query: area.value })}`;
}

async function ask() {
  running?.abort();
  const mine = running = new AbortController();
  const began = performance.now();
  stop.hidden = false;
  status.textContent = "Asking …";
  place.replaceChildren();
  const address = here();
  if (address.length <= LONGEST) history.replaceState(null, "", address);
  let shown;
  try {
    const response = await fetch("/sparql", {
      method: "POST",
      body: new URLSearchParams({ query: area.value }),
      headers: { Accept: ACCEPT },
      signal: mine.signal,
    });
    shown = await answer(response, about);
    const time = ((performance.now() - began) / 1000).toFixed(2);
    shown.said += response.ok ? ` in ${time} s` : "";
  } catch (error) {
    shown = error.name === "AbortError"
      ? { said: "Stopped", nodes: [] }
      : { said: "No answer: the server cannot be reached", nodes: [] };
  }
  if (running !== mine) return; // another one was asked meanwhile
  running = null;
  stop.hidden = true;
  status.textContent = shown.said;
  place.replaceChildren(...shown.nodes);
}

/** Only the named queries that hold all the words that are typed. */
function narrow(words) {
  for (const section of document.querySelectorAll(".examples section")) {
    let any = false;
    for (const item of section.querySelectorAll("li")) {
      const text = `${item.textContent} ${item.firstElementChild.title}`.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      any ||= !item.hidden;
    }
    section.hidden = !any;
  }
}

form.addEventListener("submit", (event) => {
  if (event.submitter && event.submitter !== run) return; // a download, by the browser itself
  event.preventDefault();
  ask();
});
area.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    ask();
  }
});
stop.addEventListener("click", () => running?.abort());
const sieve = document.querySelector("#sieve");
sieve.hidden = false;
sieve.addEventListener("input", () => narrow(sieve.value.toLowerCase().split(/\s+/)));
completeFields(document);

const Library = globalThis.Yasgui;
globalThis.cardlaw = { yasqe: Library ? colored(Library) : null, ask };
if (about.asked) ask();
