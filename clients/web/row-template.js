// Makes the rows of a list from a template of the page.

/** Attributes that contain the address of a resource. Only harmless addresses are set. */
const ADDRESSES = new Set(["href", "src", "action", "formaction", "poster", "data", "xlink:href"]);
const HARMLESS_SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);
/** Attributes whose text a browser runs or parses as code. An item never sets them. */
const isCode = (name) => name.startsWith("on") || name === "style" || name === "srcdoc";

/** Returns the value of a member by its path, such as `author.name`. */
const valueAt = (item, path) => path.split(".").reduce((value, name) => value?.[name], item);

const textOf = (value) => (value === null || value === undefined ? "" : String(value));

/**
 * Whether an attribute may have this text.
 *
 * @param {string} name
 * @param {string} text
 */
export function isHarmless(name, text) {
  if (isCode(name)) return false;
  if (!ADDRESSES.has(name)) return true;
  try {
    return HARMLESS_SCHEMES.has(new URL(text, document.baseURI).protocol);
  } catch {
    return false;
  }
}

/** Fills one element: its text from `data-field`, its attributes from `data-field-NAME`. */
function fill(element, item) {
  for (const { name, value: path } of [...element.attributes]) {
    if (name === "data-field") element.textContent = textOf(valueAt(item, path));
    if (!name.startsWith("data-field-")) continue;
    const attribute = name.slice("data-field-".length);
    const text = textOf(valueAt(item, path));
    if (text !== "" && isHarmless(attribute, text)) element.setAttribute(attribute, text);
    else element.removeAttribute(attribute);
  }
}

/**
 * Returns the row of an item. If the template has several elements, a `div` contains them.
 *
 * @param {HTMLTemplateElement} template
 * @param {Record<string, any>} item
 * @returns {HTMLElement}
 */
export function rowFromTemplate(template, item) {
  const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  for (const element of content.querySelectorAll("*")) fill(element, item);
  const only = content.firstElementChild;
  if (only && content.childElementCount === 1) return /** @type {HTMLElement} */ (only);
  const row = document.createElement("div");
  row.append(content);
  return row;
}

/**
 * Returns the row of an item for a list without a template: its first text.
 *
 * @param {Record<string, any>} item
 */
export function plainRow(item) {
  const row = document.createElement("div");
  row.textContent = textOf(item.title ?? item.name ?? item.text ?? item.id ?? JSON.stringify(item));
  return row;
}
