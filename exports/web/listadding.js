// The pages of cards: “add to list” where the page has a place for it.

import { addToList } from "./listadd.js";

for (const place of document.querySelectorAll(".add-here")) {
  const { card, name, layout, lists } = place.dataset;
  place.replaceWith(addToList({ card, name, layout }, lists));
}
