// One state, three parts that show it: what is chosen goes to the picture and to the panel.

import { Picture } from "./canvas.js";
import { el } from "./dom.js";
import { drawLegend } from "./legend.js";
import { Model } from "./model.js";
import { Panel } from "./panel.js";
import { wireSearch } from "./search.js";

const part = (id) => document.getElementById(id);
const carried = (id) => JSON.parse(part(id).textContent);

const model = new Model(carried("nodes"), carried("edges"), carried("about"));
const show = {
  node(id) {
    picture.choose({ node: id });
    panel.node(id);
  },
  edge(id) {
    picture.choose({ edge: id });
    panel.edge(id);
  },
  nothing() {
    picture.choose(null);
    panel.overview();
  },
};
const panel = new Panel(part("panel"), model, {
  node(id) {
    show.node(id);
    picture.visit(id);
  },
  edge: show.edge,
});
const picture = new Picture(part("picture"), model, carried("options"), show);

part("summary").append(
  el("span", {}, `${model.nodes.size} nodes · ${model.edges.size} ties`),
  " · ",
  el("span", {}, `Comprehensive Rules effective ${model.about.release}`),
);
drawLegend(part("legend"), model, (hidden) => picture.hide(hidden));
wireSearch(part("search"), part("matches"), model, (id) => {
  show.node(id);
  picture.visit(id);
});
part("closer").addEventListener("click", () => picture.zoom(1.4));
part("farther").addEventListener("click", () => picture.zoom(1 / 1.4));
part("whole").addEventListener("click", () => picture.fit());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show.nothing();
});
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== width) picture.fit(false); // not when a phone's address bar comes or goes
  width = innerWidth;
});

if (model.about.focus.length === 1) panel.node(model.about.focus[0]);
else panel.overview();

globalThis.cardlaw = { model, picture, panel, show };
