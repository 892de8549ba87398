// Files that a reader takes along: how they are offered, what they are called, and what CSV and XML ask of a text.

import { el } from "./dom.js";

/** Offer `content` as a file. */
export function offer(name, content, media) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: `${media};charset=utf-8` }));
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A title as a file may be called anywhere, without a suffix. */
export function fileName(title, otherwise = "view") {
  const name = title.normalize("NFD").replace(/\p{M}+/gu, "").replace(/[^\w.]+/g, "-").replace(/^[-.]+|[-.]+$/g, "").toLowerCase();
  return name.slice(0, 60) || otherwise;
}

/** A cell of a CSV file (RFC 4180) that no spreadsheet takes for a formula. */
export function cell(value) {
  if (typeof value === "number") return String(value);
  const harmless = /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A text for XML 1.0, in content or in an attribute; without the characters that it may not hold. */
export const escaped = (text) => String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
