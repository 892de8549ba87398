// Dragging by a handle, with a mouse, a pen or a finger. Who uses none of these has buttons that do the same.

/**
 * @param root what holds the rows
 * @param on rows(handle): the rows that the handle's own may stand before, itself among them; drop(handle, row, before):
 * what to do when it was let go at a row, before it or after
 */
export function wireDrag(root, on) {
  let drag = null;

  const clear = () => root.querySelectorAll(".drop-before, .drop-after, .dragged").forEach((row) => row.classList.remove("drop-before", "drop-after", "dragged"));

  function aim(y) {
    clear();
    drag.row.classList.add("dragged");
    const boxes = drag.rows.map((row) => [row, row.getBoundingClientRect()]);
    const at = boxes.find(([, { bottom }]) => y < bottom) ?? boxes.at(-1);
    const before = y < (at[1].top + at[1].bottom) / 2;
    drag.aim = at[0] === drag.row ? null : { row: at[0], before };
    drag.aim?.row.classList.add(before ? "drop-before" : "drop-after");
  }

  root.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest(".handle");
    if (!handle || event.button !== 0) return;
    event.preventDefault();
    const rows = on.rows(handle);
    drag = { handle, rows, row: rows.find((row) => row.contains(handle)), aim: null };
    handle.setPointerCapture(event.pointerId);
    aim(event.clientY);
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (event.clientY < 40) scrollBy(0, -12);
    else if (event.clientY > innerHeight - 40) scrollBy(0, 12);
    aim(event.clientY);
  });
  root.addEventListener("pointerup", () => {
    const done = drag;
    drag = null;
    clear();
    if (done?.aim) on.drop(done.handle, done.aim.row, done.aim.before);
  });
  const stop = () => {
    drag = null;
    clear();
  };
  root.addEventListener("pointercancel", stop);
  root.ownerDocument.addEventListener("keydown", (event) => event.key === "Escape" && drag && stop());
}
