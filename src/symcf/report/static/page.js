/* The page: words that all of it shares, and the list of decisions with its filters. "What if?" is in whatif.js.
 *
 * Names, values and classes are the user's and may be anything: they reach the page as text, by textContent, and never
 * as HTML. */

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);

const PER_PAGE = 20;
const WAYS_SHOWN = 3;

const COMPLETE = 0;
const MAX_RESULTS = 1;
const TIME_LIMIT = 2;
const INVALID = 3;
const AT_TARGET = 4;

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

const tag = (k) => make("span", { class: `tag tag${k % 4}` }, named(data.classes[k]));

/* "GPA from low to high" */
function changeText(feature, old, code) {
  return make("span", {}, named(data.features[feature]), " from ", named(old), " to ", make("strong", {}, named(code)));
}

/* Codes as the names of their values. */
const valueNames = (features, codes) => features.map((feature, i) => data.values[feature][codes[i]]);

function wayText(features, olds, codes) {
  const parts = [];
  features.forEach((feature, i) => {
    if (i) parts.push(i === features.length - 1 ? " and " : ", ");
    parts.push(changeText(feature, olds[i], codes[i]));
  });
  return parts;
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

function readRows(rows) {
  const width = data.features.length;
  const codes = unpacked(rows.codes);
  const columns = {};
  for (const name of ["prediction", "status", "more", "ways", "sizes", "features", "new", "decision"])
    columns[name] = unpacked(rows[name]);
  const chance = rows.chance && unpacked(rows.chance);
  const wayChance = rows.way_chance && unpacked(rows.way_chance);
  const result = [];
  let way = 0;
  let change = 0;
  for (let i = 0; i < rows.count; i++) {
    const ways = [];
    for (let k = 0; k < columns.ways[i]; k++, way++) {
      const size = columns.sizes[way];
      ways.push({
        features: Array.from(columns.features.slice(change, change + size)),
        codes: Array.from(columns.new.slice(change, change + size)),
        cells: rows.new_cells && rows.new_cells.slice(change, change + size),
        decision: columns.decision[way],
        chance: wayChance && wayChance[way] / 10000,
      });
      change += size;
    }
    result.push({
      number: i,
      name: rows.names ? rows.names[i] : `Row ${(i + 1).toLocaleString("en")}`,
      codes: Array.from(codes.slice(i * width, (i + 1) * width)),
      cells: rows.cells && rows.cells[i],
      prediction: columns.prediction[i],
      chance: chance && chance[i] / 10000,
      status: columns.status[i],
      more: columns.more[i] === 1,
      ways,
      fewest: ways.reduce((least, w) => Math.min(least, w.features.length), Infinity),
      blocking: rows.blocking[i] || [],
      reasons: [],
      moreReasons: false,
    });
  }
  return result;
}

/* The smallest reasons of each row. */
function readReasons(reasons) {
  if (!reasons) return;
  const columns = {};
  for (const name of ["count", "more", "sizes", "features"]) columns[name] = unpacked(reasons[name]);
  let place = 0;
  let start = 0;
  rows.forEach((row, i) => {
    row.moreReasons = columns.more[i] === 1;
    for (let k = 0; k < columns.count[i]; k++, place++) {
      row.reasons.push(Array.from(columns.features.slice(start, start + columns.sizes[place])));
      start += columns.sizes[place];
    }
  });
}

const rows = readRows(data.rows);
readReasons(data.rows.reasons);

/* What was given for a feature: a number where the classifier reads numbers, else the name of the value. */
const nowText = (row, j) => (row.cells ? row.cells[j] : data.values[j][row.codes[j]]);

/* What the features of a way become, in the same words. */
const thenTexts = (way) => way.cells || valueNames(way.features, way.codes);

function searchText(row) {
  if (row.text === undefined) {
    const values = row.status === INVALID ? [] : row.codes.map((_, j) => `${data.features[j]} ${nowText(row, j)}`);
    row.text = [row.name, ...values].join("\n").toLowerCase();
  }
  return row.text;
}

/* What is decided then, where that is not plain, and how surely. */
function thenText(decision, chance) {
  const said = [];
  if (data.classes.length > 2 || chance !== null) said.push(" (", named(data.classes[decision]), chance === null ? "" : ` ${percent(chance)}`, ")");
  return make("span", { class: "then" }, ...said);
}

function wayItem(row, way) {
  const olds = way.features.map((j) => nowText(row, j));
  return make("li", {}, ...wayText(way.features, olds, thenTexts(way)), thenText(way.decision, way.chance));
}

function outcome(row) {
  if (row.ways.length === 0) return "";
  const decisions = new Set(row.ways.map((way) => way.decision));
  return decisions.size === 1 ? data.classes[row.ways[0].decision] : null;
}

function leadOf(row) {
  if (row.status === INVALID) return ["This row could not be read: a value is missing or unknown."];
  if (row.status === AT_TARGET) return ["This is the wanted decision: nothing has to change."];
  if (row.ways.length === 0) {
    if (row.status !== COMPLETE) return ["The search was stopped before it found a way: there may be one."];
    const said = ["Nothing that may change would have led to another decision."];
    if (row.blocking.length) {
      said.push(" In the way: ");
      row.blocking.forEach((text, i) => said.push(i ? "; " : "", named(text)));
      said.push(".");
    }
    return said;
  }
  const other = outcome(row);
  const what = other === null ? ["It would have been different"] : ["It would have been ", named(other, "strong")];
  return [...what, row.ways.length === 1 && !row.more ? " with this change:" : " with any one of these changes:"];
}

function restOf(row) {
  if (row.more) return `There are more ways; these are the ${data.cost ? "cheapest" : "simplest"}.`;
  if (row.status === MAX_RESULTS) return "The search was stopped as asked: there may be other ways.";
  if (row.status === TIME_LIMIT) return "The search was stopped by its time limit: there may be other ways.";
  return "";
}

/* "GPA is low and income is small": enough for the decision, whatever else were true. */
function reasonItem(row, features) {
  const parts = [];
  features.forEach((j, i) => {
    if (i) parts.push(i === features.length - 1 ? " and " : ", ");
    parts.push(named(data.features[j]), " is ", make("strong", {}, named(data.values[j][row.codes[j]])));
  });
  return make("li", {}, ...parts);
}

function reasonsOf(row) {
  const shown = row.reasons.filter((features) => features.length);
  if (!shown.length) return [];
  const enough = shown.length === 1 && !row.moreReasons ? "This alone was enough" : "Each of these alone was enough";
  const more = row.moreReasons ? " There are more reasons; these are the simplest." : "";
  return [opening("Why it was decided so", () => make("div", {},
    make("p", {}, `${enough}: whatever else were true, it would have been decided in the same way.${more}`),
    make("ol", { class: "reasons" }, ...shown.map((features) => reasonItem(row, features)))))];
}

/* The row beside its first way. */
function valuesTable(row) {
  const way = row.ways[0];
  const head = ["Fact", "Now", ...(way ? ["First way"] : [])];
  const body = data.features.map((name, j) => {
    const place = way ? way.features.indexOf(j) : -1;
    const now = nowText(row, j);
    const cells = [make("th", { scope: "row" }, named(name)), make("td", {}, named(now))];
    if (place >= 0) cells.push(make("td", { class: "new" }, named(thenTexts(way)[place])));
    else if (way) cells.push(make("td", { class: "small" }, "same"));
    return make("tr", {}, ...cells);
  });
  return make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, ...body));
}

/* Details whose content is made when they are opened. */
function opening(text, content) {
  const details = make("details", {}, make("summary", {}, text));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(content());
  });
  return details;
}

function card(row) {
  const chance = row.chance === null || row.status === INVALID ? "" : percent(row.chance);
  const header = make("header", {}, make("h3", { id: `row-${row.number}` }, named(row.name)));
  const parts = [header, make("p", {}, ...leadOf(row))];
  if (row.status !== INVALID) {
    header.append(tag(row.prediction), make("span", { class: "quiet" }, chance && `probability ${chance}`));
    if (whatif.works)
      header.append(make("button", { type: "button", class: "main", "aria-describedby": `row-${row.number}`, onclick: () => whatif.open(row) }, "What if?"));
  }
  if (row.ways.length) {
    parts.push(make("ol", { class: "ways" }, ...row.ways.slice(0, WAYS_SHOWN).map((way) => wayItem(row, way))));
    const others = row.ways.slice(WAYS_SHOWN);
    if (others.length)
      parts.push(opening(counted(others.length, "more way", "more ways"), () =>
        make("ol", { class: "ways", start: WAYS_SHOWN + 1 }, ...others.map((way) => wayItem(row, way)))));
    const rest = restOf(row);
    if (rest) parts.push(make("p", { class: "small" }, rest));
  }
  parts.push(...reasonsOf(row));
  if (row.status !== INVALID) parts.push(opening("All facts of this decision", () => valuesTable(row)));
  return make("article", { class: "card", "aria-labelledby": `row-${row.number}` }, ...parts);
}

const list = {
  page: 0,
  matching: rows,

  start() {
    if (!rows.length) {
      at("rows").hidden = true;
      return;
    }
    at("filters").hidden = false;
    at("by-decision").append(make("option", { value: "" }, "any"), ...data.classes.map((name, k) => make("option", { value: k }, name)));
    const used = new Set(rows.flatMap((row) => row.ways.flatMap((way) => way.features)));
    at("by-feature").append(make("option", { value: "" }, "anything"),
      ...data.features.map((name, j) => [name, j]).filter(([, j]) => used.has(j)).map(([name, j]) => make("option", { value: j }, name)));
    for (const id of ["by-decision", "by-feature", "by-size"]) at(id).addEventListener("change", () => this.filter());
    at("by-text").addEventListener("input", () => this.filter());
    at("filters").addEventListener("submit", (event) => event.preventDefault());
    at("earlier").addEventListener("click", () => this.turn(-1));
    at("later").addEventListener("click", () => this.turn(1));
    this.filter();
  },

  filter() {
    const [decision, feature, size, text] = ["by-decision", "by-feature", "by-size", "by-text"].map((id) => at(id).value);
    const wanted = text.trim().toLowerCase();
    this.matching = rows.filter((row) => {
      if (decision !== "" && (row.status === INVALID || row.prediction !== Number(decision))) return false;
      if (feature !== "" && !row.ways.some((way) => way.features.includes(Number(feature)))) return false;
      if (size === "0" && (row.ways.length || row.status !== COMPLETE)) return false;
      if (size === "3" && !(row.fewest >= 3 && row.fewest < Infinity)) return false;
      if ((size === "1" || size === "2") && row.fewest !== Number(size)) return false;
      return !wanted || searchText(row).includes(wanted);
    });
    this.page = 0;
    this.show();
  },

  turn(step) {
    this.page += step;
    this.show();
    at("rows").scrollIntoView();
    at("cards").querySelector("button, summary")?.focus({ preventScroll: true });
  },

  show() {
    const pages = Math.max(1, Math.ceil(this.matching.length / PER_PAGE));
    const first = this.page * PER_PAGE;
    at("cards").replaceChildren(...this.matching.slice(first, first + PER_PAGE).map(card));
    at("pages").hidden = pages === 1;
    at("earlier").disabled = this.page === 0;
    at("later").disabled = this.page === pages - 1;
    at("page-number").textContent = `Page ${(this.page + 1).toLocaleString("en")} of ${pages.toLocaleString("en")}`;
    at("found").textContent = this.matching.length === rows.length
      ? counted(rows.length, "decision", "decisions")
      : this.matching.length === 0 ? "No decision fits these filters."
        : `${counted(this.matching.length, "decision fits", "decisions fit")} these filters.`;
  },
};
