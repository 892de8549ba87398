// Search over all names: capitals, accents and punctuation do not count, and a letter or two may be wrong.

import { el, icon } from "./dom.js";
import { KINDS } from "./atlasdata.js";

/** Text as it is compared. */
export function folded(text) {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}.+]+/gu, " ")
    .trim();
}

/** Whether `pattern` (up to 31 letters) begins a word of `text` but for `errors` letters (Wu and Manber 1992). */
function nearly(masks, length, text, errors) {
  const row = new Int32Array(errors + 1);
  for (let error = 0; error <= errors; error += 1) row[error] = (1 << error) - 1;
  const goal = 1 << (length - 1);
  for (let at = 0; at < text.length; at += 1) {
    const mask = masks.get(text[at]) ?? 0;
    const begins = at === 0 || text[at - 1] === " " ? 1 : 0;
    let before = row[0];
    row[0] = ((row[0] << 1) | begins) & mask;
    for (let error = 1; error <= errors; error += 1) {
      const old = row[error];
      row[error] = (((old << 1) | begins) & mask) | before | (before << 1) | (row[error - 1] << 1) | begins;
      before = old;
    }
    if (row[errors] & goal) return true;
  }
  return false;
}

export class Index {
  constructor(atlas) {
    this.atlas = atlas;
    this.texts = atlas.names.map((name, node) =>
      node >= atlas.firsts[1] && node < atlas.firsts[2] ? `${atlas.ids[node]} ${folded(name)}` : folded(name),
    );
  }

  /** The best nodes for what was typed: whole, beginning, word, anywhere, then with letters wrong. */
  find(typed, limit = 10) {
    const wanted = folded(typed);
    if (!wanted) return [];
    const ranked = [];
    const rank = (text) => {
      if (text === wanted) return 0;
      if (text.startsWith(wanted)) return text[wanted.length] === " " ? 1 : 2;
      if (text.includes(` ${wanted}`)) return 3;
      return text.includes(wanted) ? 4 : 9;
    };
    this.texts.forEach((text, node) => {
      const found = rank(text);
      if (found < 9) ranked.push([found, node]);
    });
    if (ranked.length < limit && wanted.length > 3) this.guess(wanted.slice(0, 30), ranked);
    const length = (node) => this.texts[node].length;
    ranked.sort((a, b) => a[0] - b[0] || this.weight(b[1]) - this.weight(a[1]) || length(a[1]) - length(b[1]));
    return ranked.slice(0, limit).map(([, node]) => node);
  }

  guess(wanted, ranked) {
    const known = new Set(ranked.map(([, node]) => node));
    const masks = new Map();
    [...wanted].forEach((letter, at) => masks.set(letter, (masks.get(letter) ?? 0) | (1 << at)));
    for (let errors = 1; errors <= (wanted.length > 6 ? 2 : 1); errors += 1) {
      this.texts.forEach((text, node) => {
        if (!known.has(node) && text.length + errors >= wanted.length && nearly(masks, wanted.length, text, errors)) {
          known.add(node);
          ranked.push([4 + errors, node]);
        }
      });
      if (ranked.length) return;
    }
  }

  /** Keywords and rules go before cards of the same name. */
  weight(node) {
    return this.atlas.firstCard > node ? 10 * this.atlas.r[node] + (this.atlas.kind(node) === 0 ? 1 : 0) : 0;
  }
}

/** Wire the search box; `chosen` is called with the node that was picked. */
export function wireFind(input, list, index, chosen) {
  let found = [];
  let active = -1;
  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const pick = (node) => {
    input.value = "";
    close();
    input.blur();
    chosen(node);
  };
  const mark = (number) => {
    active = found.length ? (number + found.length) % found.length : -1;
    [...list.children].forEach((row, each) => row.setAttribute("aria-selected", String(each === active)));
    if (active >= 0) input.setAttribute("aria-activedescendant", `match-${active}`);
  };
  input.addEventListener("input", () => {
    found = index.find(input.value);
    const rows = found.map((node, number) => {
      const kind = KINDS[index.atlas.kind(node)];
      return el(
        "li",
        { role: "option", id: `match-${number}`, onpointerdown: (event) => { event.preventDefault(); pick(node); } },
        icon(kind.id, kind.shape),
        el("span", {}, index.atlas.title(node)),
        el("small", {}, kind.one),
      );
    });
    if (!rows.length) rows.push(el("li", { class: "none" }, "Nothing is called so"));
    list.replaceChildren(...rows);
    list.hidden = !input.value.trim();
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark(0);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter" && active >= 0) pick(found[active]);
    else if (event.key === "Escape") {
      event.stopPropagation();
      input.value = "";
      input.blur();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.target.closest?.("input, textarea")) {
      event.preventDefault();
      input.focus();
    }
  });
}
