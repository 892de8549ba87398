// The panel: what a node is and what it is tied to, each tie a button; without a node, what the map shows.

import { el, icon } from "./dom.js";
import { addToList } from "./listadd.js";
import { KINDS } from "./atlasdata.js";
import { categories } from "./atlascolors.js";

const FEW = 8; // of a relation, before more are asked for
const MORE = 100;

export class Panel {
  /** `go` has node(node) and region(region), for what is pressed. */
  constructor(place, atlas, go) {
    this.place = place;
    this.atlas = atlas;
    this.go = go;
  }

  /** What the map shows. */
  overview() {
    const { atlas } = this;
    const regions = atlas.regions.middle.map((_, region) =>
      el("li", {}, el("button", { type: "button", class: "node", onclick: () => this.go.region(region) }, el("span", {}, atlas.regionName(region)))),
    );
    this.place.replaceChildren(
      el("p", { class: "eyebrow" }, "The whole graph"),
      el("h2", {}, "Cards around the rules that tell most of them"),
      el("p", { class: "note" },
        "Each flower is a rule or keyword; its petals are the cards of which it tells most. Flowers that cards often invoke together are one island. The bigger a head, the more cards invoke it."),
      el("p", { class: "note keys" }, el("kbd", {}, "/"), " search · arrows move · ", el("kbd", {}, "+"), " ", el("kbd", {}, "−"), " zoom · ", el("kbd", {}, "Enter"), " what is in the middle · ", el("kbd", {}, "Esc"), " back"),
      el("h3", {}, el("span", {}, "Islands"), el("span", {}, String(regions.length))),
      el("ul", {}, ...regions),
    );
    this.place.scrollTop = 0;
  }

  /** While ties are under way. */
  waiting(node) {
    this.place.replaceChildren(...this.heading(node), el("p", { class: "note" }, "Ties are on their way…"));
  }

  failed(node) {
    this.place.replaceChildren(...this.heading(node), el("p", { class: "note" }, "The ties could not be had. Is the server still there?"));
  }

  node(node) {
    const { atlas } = this;
    this.place.replaceChildren(
      ...this.heading(node),
      this.facts(node),
      this.onward(node),
      KINDS[atlas.kind(node)].id === "card" ? addToList({ card: atlas.prefixed(node), name: atlas.title(node), layout: "" }, atlas.about.source ? "/lists" : "") : "",
      ...atlas.grouped(node).flatMap((group) => this.group(group)),
    );
    this.place.scrollTop = 0;
  }

  heading(node) {
    const kind = KINDS[this.atlas.kind(node)];
    return [
      el("p", { class: "eyebrow" }, icon(kind.id, kind.shape), kind.one),
      el("h2", {}, this.atlas.title(node)),
    ];
  }

  facts(node) {
    const { atlas } = this;
    const facts = [];
    const fact = (name, value) => value && facts.push(el("dt", {}, name), el("dd", {}, value));
    if (node < atlas.firsts[2]) fact("Cards", atlas.count(node).toLocaleString("en"));
    if (node >= atlas.firstCard) {
      const type = atlas.types[node - atlas.firstCard];
      fact("Type", categories("type", atlas)[Math.min(type, atlas.cardTypes.length)][1]);
      const bits = atlas.colors[node - atlas.firstCard];
      if (bits) fact("Color identity", [..."WUBRG"].filter((_, bit) => (bits >> bit) & 1).join(" ") || "colorless");
      const topic = atlas.topic[node];
      if (topic >= 0) fact("Tells most", this.button(atlas.topics.head[topic]));
    }
    const region = atlas.region(node);
    if (region >= 0)
      fact("Island", el("button", { type: "button", class: "plain", onclick: () => this.go.region(region) }, atlas.regionName(region)));
    return el("dl", {}, ...facts);
  }

  /** The way from here: to the explorer and the page of a served graph, or what to type. */
  onward(node) {
    const id = this.atlas.prefixed(node);
    const { source } = this.atlas.about;
    if (source) {
      const path = id.split(":").map(encodeURIComponent).join("/");
      return el("p", { class: "onward" },
        el("a", { href: `/explore#focus=${encodeURIComponent(id)}` }, "Explore from here"),
        el("a", { href: `/${path}` }, "Its page"));
    }
    const command = `cardlaw view ${id}`;
    const copy = el("button", { type: "button", class: "small", onclick: async () => {
      try {
        await navigator.clipboard.writeText(command);
        copy.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
      }
    } }, "Copy");
    const code = el("code", {}, command);
    return el("p", { class: "onward" }, "All that is around it: ", code, " ", copy);
  }

  group({ relation, out, nodes }) {
    const [forward, backward] = this.atlas.about.relations[relation] ?? [relation, relation];
    const list = el("ul");
    let shown = 0;
    const more = el("button", { type: "button", class: "small", onclick: () => extend(MORE) });
    const extend = (number) => {
      const items = nodes.slice(shown, shown + number).map((node) => el("li", {}, this.button(node)));
      const first = shown > 0 ? items[0] : null;
      list.append(...items);
      shown += items.length;
      more.hidden = shown >= nodes.length;
      more.textContent = `${Math.min(MORE, nodes.length - shown)} more of ${(nodes.length - shown).toLocaleString("en")}`;
      first?.firstChild.focus();
    };
    extend(FEW);
    return [
      el("h3", {}, el("span", {}, out ? forward : backward), el("span", {}, nodes.length.toLocaleString("en"))),
      list,
      more,
    ];
  }

  button(node) {
    const kind = KINDS[this.atlas.kind(node)];
    return el("button", { type: "button", class: "node", onclick: () => this.go.node(node) },
      icon(kind.id, kind.shape), el("span", {}, this.atlas.title(node)));
  }
}
