// The row of a package, as the lists of the demo show it.

const sizes = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

export function span(className, text) {
  const created = document.createElement("span");
  created.className = className;
  created.textContent = text;
  return created;
}

function sizeText(kibibytes) {
  if (kibibytes === null || kibibytes === undefined) return "";
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${sizes.format(kibibytes / 1024)} MiB`;
}

/**
 * Returns the row of a package. `isChanged` marks the row for a moment. `corner` is the text below
 * the size.
 */
export function packageRow(item, { isChanged = false, corner = item.section } = {}) {
  const created = document.createElement("li");
  created.className = isChanged ? "row changed" : "row";
  created.dataset.name = item.name;
  const title = span("title", "");
  title.append(span("name", item.name), span("version", item.version));
  created.append(
    title, span("size", sizeText(item.installedKiB)),
    span("description", item.description), span("section", corner));
  return created;
}
