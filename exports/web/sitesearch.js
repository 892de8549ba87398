// The search of a site of files: what is typed is looked up in `cardlawIndex`, which a script beside this one
// sets. Words are folded as SQLite's unicode61 folds them, and joined by the stems that it gave (porter).

(() => {
  "use strict";
  const PAGE = 20;
  const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
  if (!globalThis.cardlawIndex) {
    document.getElementById("told").textContent = "assets/search-index.js, which the search needs, is missing.";
    return;
  }
  const { kinds, forms, nodes } = globalThis.cardlawIndex;
  const stemOf = new Map(Object.entries(forms));
  const byId = (id) => document.getElementById(id);
  const form = byId("ask");
  const input = byId("q");
  const list = byId("hits");
  let kind = "";
  let shown = PAGE;

  /** Without case and accents; Æ and Œ are written out. */
  const fold = (text) =>
    text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("æ", "ae").replaceAll("œ", "oe");
  const stem = (word) => stemOf.get(word) ?? word;
  /** The words of a text: [where it begins, where it ends, folded, stem]. */
  const words = (text) =>
    [...text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)].map(({ 0: word, index }) => {
      const folded = (fold(word).match(WORD) ?? []).join("");
      return [index, index + word.length, folded, stem(folded)];
    });

  const texts = nodes.map(([, , title, text]) => [words(title), words(text)]);
  const postings = new Map(); // stem -> numbers of the nodes that have it
  texts.forEach((both, number) => {
    for (const each of both) {
      for (const [, , , key] of each) {
        let found = postings.get(key);
        if (!found) postings.set(key, (found = new Set()));
        found.add(number);
      }
    }
  });
  const known = [...new Set(texts.flat(2).map((word) => word[2]))].sort();

  /** Stems of the words that begin so. */
  function begun(start) {
    let low = 0;
    let high = known.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (known[middle] < start) low = middle + 1;
      else high = middle;
    }
    const found = new Set();
    for (; low < known.length && known[low].startsWith(start); low++) found.add(stem(known[low]));
    return found;
  }

  /** What is typed, as a list of {run of folded words, whether it is a beginning, whether it was quoted}. */
  function parse(text) {
    const found = [];
    for (const [, phrase, word] of text.slice(0, 200).matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
      const run = words(phrase ?? word).map((each) => each[2]);
      if (run.length) found.push({ run, begins: !!word?.endsWith("*"), quoted: phrase !== undefined });
    }
    return found.slice(0, 16);
  }

  /** The stem of a word; of a form that stands nowhere, those of the words that begin as it does, but for its end. */
  function meant(word) {
    if (postings.has(stem(word))) return new Set([stem(word)]);
    for (let cut = 1; cut <= 4 && word.length - cut >= 3; cut++) {
      const found = begun(word.slice(0, -cut));
      if (found.size) return found;
    }
    return new Set();
  }

  /** For each word of a run the stems that it may be. */
  const stemsOf = ({ run, begins }) =>
    run.map((word, at) => (begins && at === run.length - 1 ? begun(word) : meant(word)));

  /** Where in some words a run of stems stands, as numbers of its first words. */
  function places(text, run) {
    const found = [];
    for (let at = 0; at + run.length <= text.length; at++) {
      if (run.every((stems, offset) => stems.has(text[at + offset][3]))) found.push(at);
    }
    return found;
  }

  /** The nodes that have a run: number -> how much that says. */
  function having(run) {
    let numbers = null;
    for (const stems of run) {
      const some = new Set();
      for (const each of stems) for (const number of postings.get(each) ?? []) some.add(number);
      numbers = numbers === null ? some : new Set([...numbers].filter((number) => some.has(number)));
    }
    const found = new Map();
    for (const number of numbers) {
      const [title, text] = texts[number];
      const inTitle = places(title, run).length;
      const inText = places(text, run).length;
      if (inTitle || inText) {
        const long = 0.5 + (title.length + text.length) / 40;
        found.set(number, inTitle * (4 / (0.5 + title.length / 4)) + inText / (inText + long));
      }
    }
    const rarity = Math.log(1 + nodes.length / (found.size + 0.5));
    for (const [number, score] of found) found.set(number, score * rarity);
    return found;
  }

  /** All that a question finds, the best first, and how it was widened. */
  function search(text) {
    const asked = parse(text);
    const folded = asked.flatMap(({ run }) => run).join(" ");
    const wider = asked.map((each) => ({ ...each, begins: !each.quoted }));
    const ways = [
      ["", asked, true],
      ["Nothing has all these words as they stand. These have words that begin so.", wider, true],
      ["Nothing has all of these words. These have some of them.", asked, false],
    ];
    for (const [note, parts, all] of asked.length ? ways : []) {
      const runs = parts.map(stemsOf);
      const found = runs.map(having);
      const scores = new Map();
      for (const some of found) {
        for (const [number, score] of some) scores.set(number, (scores.get(number) ?? 0) + score);
      }
      let numbers = [...scores.keys()];
      if (all) numbers = numbers.filter((number) => found.every((some) => some.has(number)));
      if (numbers.length) {
        for (const number of numbers) {
          const name = ` ${texts[number][0].map((word) => word[2]).join(" ")} `;
          if (name.includes(` ${folded} `)) scores.set(number, scores.get(number) + (name.length > folded.length + 2 ? 1e3 : 1e6));
        }
        numbers.sort((one, other) => scores.get(other) - scores.get(one) || one - other);
        return { note, runs, numbers };
      }
    }
    return { note: asked.length ? "Nothing has these words." : "", runs: [], numbers: [] };
  }

  /** Put a text into an element, with what is found in it marked, and cut around the first mark if it is long. */
  function put(element, text, split, runs, longest) {
    const marks = [];
    for (const run of runs) {
      for (const at of places(split, run)) marks.push([split[at][0], split[at + run.length - 1][1]]);
    }
    marks.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    let from = 0;
    let to = text.length;
    if (text.length > longest) {
      const first = marks[0]?.[0] ?? 0;
      from = first > longest / 3 ? text.lastIndexOf(" ", first - longest / 4) + 1 : 0;
      to = from + longest < text.length ? text.lastIndexOf(" ", from + longest) : text.length;
      if (to <= from) to = Math.min(text.length, from + longest);
    }
    if (from > 0) element.append("…");
    let at = from;
    for (const [start, end] of marks) {
      if (start < at || end > to) continue;
      const mark = document.createElement("mark");
      mark.textContent = text.slice(start, end);
      element.append(text.slice(at, start), mark);
      at = end;
    }
    element.append(text.slice(at, to), to < text.length ? "…" : "");
  }

  function draw() {
    const { note, runs, numbers } = search(input.value);
    const counts = new Map(Object.keys(kinds).map((each) => [each, 0]));
    for (const number of numbers) counts.set(nodes[number][0], counts.get(nodes[number][0]) + 1);
    if (kind && !counts.get(kind)) kind = "";
    const some = kind ? numbers.filter((number) => nodes[number][0] === kind) : numbers;
    const choices = [["", `All (${numbers.length.toLocaleString("en")})`]];
    for (const [each, count] of counts) {
      if (count) choices.push([each, `${kinds[each]} (${count.toLocaleString("en")})`]);
    }
    const group = byId("kinds");
    group.hidden = choices.length < 3;
    group.replaceChildren(
      ...choices.map(([each, label]) => {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        button.setAttribute("aria-pressed", String(each === kind));
        button.addEventListener("click", () => {
          kind = each;
          shown = PAGE;
          draw();
          [...group.children].find((other) => other.getAttribute("aria-pressed") === "true")?.focus();
        });
        return button;
      }),
    );
    byId("told").textContent = note || (numbers.length ? `${some.length.toLocaleString("en")} found` : "");
    list.replaceChildren(
      ...some.slice(0, shown).map((number) => {
        const [type, path, title, text] = nodes[number];
        const item = document.createElement("li");
        const head = document.createElement("h2");
        const link = document.createElement("a");
        link.href = path.split("/").map(encodeURIComponent).join("/");
        put(link, title, texts[number][0], runs, 400);
        const label = document.createElement("span");
        label.className = "kind";
        label.textContent = type;
        head.append(link, " ", label);
        item.append(head);
        if (text) {
          const words = document.createElement("p");
          words.className = "words";
          put(words, text, texts[number][1], runs, 480);
          item.append(words);
        }
        return item;
      }),
    );
    byId("more").hidden = some.length <= shown;
  }

  const begin = () => {
    shown = PAGE;
    draw();
  };
  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(begin, 120);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    const asked = new URLSearchParams({ q: input.value });
    try {
      history.replaceState(null, "", `?${asked}`);
    } catch {
      // A browser may forbid it for files.
    }
    begin();
  });
  byId("more").addEventListener("click", () => {
    const before = shown;
    shown += PAGE;
    draw();
    list.children[before]?.querySelector("a")?.focus();
  });
  form.hidden = false;
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  begin();
  if (!input.value) input.focus();
})();
