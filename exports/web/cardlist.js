/* The filter of a list of cards, while it is typed: what the form would answer takes the place of the list. */

const form = document.querySelector("form.filter");
const parts = ["#hits", ".sprite", "form.filter .do"]; // what another answer may have otherwise
let waiting = 0;
let asked = null;

/** The address that the form asks, without fields that are empty. */
function address() {
  const said = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...said]) {
    if (!value || (name === "mode" && (value === "within" || !said.has("color")))) said.delete(name);
  }
  const url = new URL(form.action);
  url.search = said;
  url.hash = "";
  return url;
}

async function filter() {
  const url = address();
  asked?.abort();
  asked = new AbortController();
  const hits = document.querySelector("#hits");
  hits.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(url, { headers: { accept: "text/html" }, signal: asked.signal });
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of parts) {
      const there = document.querySelector(part);
      const fresh = page.querySelector(part);
      if (there && fresh) there.replaceChildren(...fresh.childNodes);
      else if (fresh) document.body.append(fresh); // symbols, where there were none
    }
    history.replaceState(null, "", url);
    hits.removeAttribute("aria-busy");
  } catch (error) {
    if (error.name !== "AbortError") form.submit();
  }
}

form.addEventListener("input", (event) => {
  clearTimeout(waiting);
  waiting = setTimeout(filter, event.target.type === "search" ? 300 : 0);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(waiting);
  filter();
});
