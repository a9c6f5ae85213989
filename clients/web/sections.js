// The sections of a list: runs of neighbouring items with equal values (docs/protocol.md, "Sections").

/** Returns the part of an item at a JSON pointer (RFC 6901). Undefined: there is none. */
function valueAt(item, pointer) {
  return pointer.split("/").slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((value, name) => (value !== null && typeof value === "object" && Object.hasOwn(value, name) ? value[name] : undefined), item);
}

/**
 * Returns the sections of a list in order. The item null is a placeholder, which belongs to no section.
 *
 * @param {any[]} items
 * @param {string | null | undefined} pointer `view.sectionKey`; without it, there are no sections
 * @returns {import("./client-types.js").ListSection[]}
 */
export function sectionsOf(items, pointer) {
  const sections = [];
  if (pointer === null || pointer === undefined) return sections;
  for (const [position, item] of items.entries()) {
    if (item === null) continue;
    const found = valueAt(item, pointer);
    const value = ["string", "number", "boolean"].includes(typeof found) ? found : null;
    const last = sections.at(-1);
    if (last && last.start + last.count === position && last.value === value) last.count += 1;
    else sections.push({ value, start: position, count: 1 });
  }
  return sections;
}
