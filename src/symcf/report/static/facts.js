/* The facts that people change in "What if?": a choice of values, or a number that is typed in. */

/* Up to so many values, and letters in all, are shown as radio buttons; more as a list to open. */
const RADIOS = 4;
const RADIO_LETTERS = 48;

/* --- numbers ---------------------------------------------------------------------------------------------------------
 * A column of numbers is cut into ranges. `codes` has, by value, the least and the greatest number of its range and the
 * ones to suggest, with null for no bound; and null for a value that is no range, such as "(missing)". */

const least = (end) => (end === null ? -Infinity : end);
const greatest = (end) => (end === null ? Infinity : end);
const inRange = (entry, number) => entry !== null && number >= least(entry[0]) && number <= greatest(entry[1]);

/* The value that a number stands for; -1 if there is none. */
function codeOfNumber(j, number) {
  const { codes, holes } = data.ranges[j];
  return Number.isFinite(number) && !holes.includes(number) ? codes.findIndex((entry) => inRange(entry, number)) : -1;
}

/* A column of numbers that is not cut into ranges; null for others. */
const lineOf = (j) => data.classifier.numbers && data.classifier.numbers.columns[j];

/* A value as text: the number of its range that is nearest to the present one, or its name. */
function textOf(j, code, now) {
  if (lineOf(j)) return String(code);
  const entry = data.ranges[j] && data.ranges[j].codes[code];
  if (!entry) return data.values[j][code];
  const number = Number.parseFloat(now);
  if (inRange(entry, number)) return now;
  const [, , low, high] = entry;
  if (low === null && high === null) return "0";
  if (low === null || high === null) return String(low === null ? high : low);
  if (Number.isFinite(number)) return String(number < low ? low : high);
  return String(Math.abs(low) <= Math.abs(high) ? low : high);
}

/* How far a value is, in parts of the span of the cut points; null where it is no number. */
function distanceOf(j, code, now) {
  const range = data.ranges[j];
  const [from, to] = [Number.parseFloat(now), Number.parseFloat(textOf(j, code, now))];
  if (!range || range.codes[code] === null || !Number.isFinite(from)) return null;
  const cuts = range.codes.filter((entry) => entry && entry[0] !== null).map((entry) => entry[0]);
  const span = cuts.length > 1 ? Math.max(...cuts) - Math.min(...cuts) : 1;
  return Math.floor((Math.abs(to - from) / span) * PARTS_OF_A_SPAN);
}

/* Can its numbers be typed in? At most one value may be no number. */
const isTyped = (j) => data.ranges[j] !== null && data.ranges[j].codes.filter((entry) => entry === null).length < 2 && data.ranges[j].codes.length > 1;

/* --- elements: each is { element, was, set(code, text) } and calls change(code, text) ----------------------------------- */

/* What the suggestions may do with a fact. */
function limitsOf(j) {
  const said = [];
  if (data.direction[j] & 1) said.push("may only go up");
  if (data.direction[j] & 2) said.push("may only go down");
  if (data.allowed[j]) said.push(`may only become ${data.allowed[j].map((code) => data.values[j][code]).join(" or ") || "nothing else"}`);
  return said.length ? make("span", { class: "limits" }, said.join("; ")) : "";
}

function makeFact(j, keep, change) {
  const was = make("span", { class: "was", hidden: true });
  const title = [named(data.features[j]), was, limitsOf(j)];
  const letters = data.values[j].reduce((sum, label) => sum + label.length, 0);
  const kind = lineOf(j) ? lineFact : isTyped(j) ? numberFact : data.values[j].length <= RADIOS && letters <= RADIO_LETTERS ? radioFact : listFact;
  return { was, ...kind(j, title, keep, change) };
}

function radioFact(j, title, keep, change) {
  const radios = data.values[j].map((label, code) => make("input", { type: "radio", name: `fact-${j}`, value: code, onchange: () => change(code, textOf(j, code, null)) }));
  const element = make("fieldset", { class: "fact" }, make("legend", { class: "title" }, ...title),
    make("div", { class: "choices" }, ...data.values[j].map((label, code) => make("label", {}, radios[code], named(label)))), keep);
  return { element, set: (code) => { radios[code].checked = true; } };
}

function listFact(j, title, keep, change) {
  const select = make("select", { id: `fact-${j}`, onchange: () => change(Number(select.value), textOf(j, Number(select.value), null)) },
    ...data.values[j].map((label, code) => make("option", { value: code }, label)));
  const element = make("div", { class: "fact" }, make("label", { class: "title", for: `fact-${j}` }, ...title), keep, select);
  return { element, set: (code) => { select.value = code; } };
}

/* Any number will do. */
function lineFact(j, title, keep, change) {
  const { low, high } = lineOf(j);
  const said = make("span", { class: "small", id: `alike-${j}` }, `suggested from ${low} to ${high}`);
  const input = make("input", { type: "number", step: "any", id: `fact-${j}`, "aria-describedby": `alike-${j}`, autocomplete: "off" });
  input.addEventListener("input", () => {
    const number = input.valueAsNumber;
    input.setAttribute("aria-invalid", !Number.isFinite(number));
    if (Number.isFinite(number)) change(number, input.value);
  });
  const element = make("div", { class: "fact" }, make("label", { class: "title", for: `fact-${j}` }, ...title), keep,
    make("div", { class: "choices" }, input, said));
  const set = (number, text) => {
    const known = Number.isFinite(Number(text));
    input.value = known ? text : "";
    input.placeholder = known ? "" : text;
    input.setAttribute("aria-invalid", false);
  };
  return { element, set };
}

function numberFact(j, title, keep, change) {
  const unknown = data.ranges[j].codes.indexOf(null);
  const alike = make("span", { class: "small", id: `alike-${j}` });
  const input = make("input", { type: "number", step: "any", id: `fact-${j}`, "aria-describedby": `alike-${j}`, autocomplete: "off" });
  const missing = make("input", { type: "checkbox" });
  const show = (code) => { alike.textContent = code === unknown ? "" : `counts as ${data.values[j][code]}`; };
  const typed = () => {
    const code = codeOfNumber(j, input.valueAsNumber);
    input.setAttribute("aria-invalid", code < 0);
    if (code < 0) {
      alike.textContent = input.value === "" ? "Enter a number." : "The model knows no such value.";
      return;
    }
    missing.checked = false;
    show(code);
    change(code, input.value);
  };
  input.addEventListener("input", typed);
  missing.addEventListener("change", () => {
    if (!missing.checked) {
      input.focus();
      return typed();
    }
    input.value = "";
    input.setAttribute("aria-invalid", false);
    show(unknown);
    return change(unknown, data.values[j][unknown]);
  });
  const choice = unknown < 0 ? "" : make("label", {}, missing, named(data.values[j][unknown]));
  const element = make("div", { class: "fact" }, make("label", { class: "title", for: `fact-${j}` }, ...title), keep,
    make("div", { class: "choices" }, input, choice, alike));
  const set = (code, text) => {
    missing.checked = code === unknown;
    const number = code !== unknown && Number.isFinite(Number(text));
    input.value = number ? text : "";
    input.placeholder = number || code === unknown ? "" : text; // what is missing and counts as a number
    input.setAttribute("aria-invalid", false);
    show(code);
  };
  return { element, set };
}
