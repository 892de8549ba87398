// Where lists are kept: this browser's storage for the address of the page, under one key. What is there may be
// anybody's: it is read anew before each change, since another tab may have changed it; what cannot be read is set
// aside before it is written over; what a later version wrote stays. Without storage, lists last as long as the page.

import { noLists, readLists, writtenLists } from "./lists.js";

export const KEY = "cardlaw.lists";
/** What could not be read. */
export const ASIDE = "cardlaw.lists.unreadable";

const WHY = {
  none: "This browser keeps nothing for this page: what you do here is gone when the page is closed.",
  newer: "A later version of cardlaw has kept lists here. This one leaves them as they are.",
  unreadable: "Some of what was kept here could not be read. It is set aside, not lost.",
};
const FULL = "Nothing was changed: this browser has no room left for this page. Take out a list or two.";

export class ListKeeper {
  /** @param ask gives the storage, or throws where there is none; a function, for even to ask may be forbidden */
  constructor(ask = () => globalThis.localStorage) {
    this.memory = noLists();
    this.storage = null;
    try {
      this.storage = ask() ?? null;
      this.storage?.getItem(KEY);
    } catch {
      this.storage = null;
    }
    this.seen = null; // the text that `known` was read from
    this.known = null;
  }

  #read() {
    if (!this.storage) return { state: this.memory, whole: true, newer: false };
    const text = this.storage.getItem(KEY);
    if (!this.known || text !== this.seen) [this.seen, this.known] = [text, readLists(text)];
    return this.known;
  }

  get state() {
    return this.#read().state;
  }

  /** What a reader has to know of how lists are kept here; empty where all is well. */
  get warning() {
    if (!this.storage) return WHY.none;
    const { whole, newer } = this.#read();
    if (newer) return WHY.newer;
    return whole && this.storage.getItem(ASIDE) === null ? "" : WHY.unreadable;
  }

  /** What was set aside, or is about to be. */
  get unreadable() {
    if (!this.storage) return null;
    return this.storage.getItem(ASIDE) ?? (this.#read().whole ? null : this.seen);
  }

  forgetUnreadable() {
    this.storage?.removeItem(ASIDE);
    if (!this.#read().whole) this.#write(this.state);
  }

  /**
   * Change what is kept by a function from a state to a state.
   * @returns what went wrong, in words; empty if nothing did
   */
  change(how) {
    const { state, whole, newer } = this.#read();
    if (newer) return WHY.newer;
    const next = how(state);
    if (next === state) return "";
    if (!this.storage) {
      this.memory = next;
      return "";
    }
    try {
      if (!whole && this.storage.getItem(ASIDE) === null) this.storage.setItem(ASIDE, this.seen);
    } catch {
      return FULL;
    }
    // Where there is no room, at least something can be taken out.
    return this.#write(next) || (next.deleted && next.deleted !== state.deleted && this.#write({ ...next, deleted: null })) ? "" : FULL;
  }

  #write(state) {
    try {
      this.storage.setItem(KEY, writtenLists(state));
      return true;
    } catch {
      return false;
    }
  }

  /** Call `tell` when what is kept was changed elsewhere: in another tab, or before the way back to this page. */
  follow(tell) {
    addEventListener("storage", ({ key }) => (key === KEY || key === null) && tell());
    addEventListener("pageshow", ({ persisted }) => persisted && tell());
  }
}

/** An id that no other list has. */
export function newId() {
  const random = globalThis.crypto.getRandomValues(new Uint32Array(2));
  return Date.now().toString(36) + Array.from(random, (number) => number.toString(36)).join("");
}
