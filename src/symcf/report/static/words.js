/* Words and elements that all parts of the page share.
 *
 * Names, values and classes are the user's and may be anything: they reach the page as text, by textContent, and never
 * as HTML. */

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);

/* An element with attributes and children; strings become text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function makeSvg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/* A name of the user's, whatever its letters and their direction. */
const named = (text, tag = "bdi") => make(tag, {}, text);

const counted = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

function percent(p) {
  if (p > 0 && p < 0.001) return "under 0.1%";
  if (p < 1 && p > 0.999) return "over 99.9%";
  return `${(100 * p).toFixed(1).replace(/\.0$/, "")}%`;
}

/* Where a decision is wanted, it is the good one and the others are bad; else no class is better than another. */
const tone = (k) => (data.target === null ? `plain${k % 4}` : k === data.target ? "good" : "bad");

const tag = (k) => make("span", { class: `tag ${tone(k)}` }, named(data.classes[k]));

/* The class that people look at, and its share of a probability: the wanted one of two, else the decided one. */
function chanceOf(decision, chance) {
  const swapped = data.target !== null && data.classes.length === 2 && decision !== data.target;
  return swapped ? { of: data.target, chance: 1 - chance } : { of: decision, chance };
}

/* "GPA from low to high" */
function changeText(feature, old, text) {
  return make("span", {}, named(data.features[feature]), " from ", named(old), " to ", make("strong", {}, named(text)));
}

/* Codes as the names of their values. */
const valueNames = (features, codes) => features.map((feature, i) => data.values[feature][codes[i]]);

/* "GPA from low to high"; where it takes several changes, that they belong together. */
function wayText(features, olds, texts) {
  const parts = [];
  if (features.length > 1) parts.push(make("span", { class: "together" }, features.length === 2 ? "both " : `all ${features.length} together: `));
  features.forEach((feature, i) => {
    if (i) parts.push(i === features.length - 1 ? " and " : ", ");
    parts.push(changeText(feature, olds[i], texts[i]));
  });
  return parts;
}

/* Details whose content is made when they are opened. */
function opening(text, content) {
  const details = make("details", {}, make("summary", {}, text));
  details.addEventListener("toggle", () => fill(details));
  details.fill = () => { if (details.children.length === 1) details.append(content()); };
  return details;
}

function fill(details) {
  if (details.open && details.fill) details.fill();
}
