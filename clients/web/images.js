// Draws the images that programmes may name in their image layers. Each image is a square of 100 by
// 100 around its centre.

const SVG = "http://www.w3.org/2000/svg";

function shape(name, attributes) {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  return created;
}

/** Draws a dial. Its four main marks are longer than the eight marks between them. */
function compassBackground() {
  const parts = [
    shape("circle", { r: 47, fill: "#fdfcf8", stroke: "#2c3136", "stroke-width": 5 }),
    shape("circle", { r: 40, fill: "none", stroke: "#2c3136", "stroke-width": 1.5, opacity: 0.35 }),
  ];
  for (let mark = 0; mark < 12; mark += 1) {
    const isMain = mark % 3 === 0;
    parts.push(shape("path", {
      d: isMain ? "M0 -40V-28" : "M0 -39V-33", transform: `rotate(${mark * 30})`,
      stroke: "#2c3136", "stroke-width": isMain ? 4.5 : 2.5, "stroke-linecap": "round",
    }));
  }
  return parts;
}

/** Draws a needle. Its red half points up. */
function compassSpinner() {
  return [
    shape("path", { d: "M0 -31L8.5 0H-8.5Z", fill: "#cf3a2f" }),
    shape("path", { d: "M0 31L8.5 0H-8.5Z", fill: "#59636b" }),
    shape("circle", { r: 4, fill: "#fdfcf8", stroke: "#2c3136", "stroke-width": 2 }),
  ];
}

const IMAGES = { compass_background: compassBackground, compass_spinner: compassSpinner };

/** Creates an image of this size around its centre. Returns null if the name is unknown. */
export function createImage(name, width, height) {
  if (!Object.hasOwn(IMAGES, name)) return null;
  const group = shape("g", { transform: `scale(${width / 100} ${height / 100})` });
  group.append(...IMAGES[name]());
  return group;
}
