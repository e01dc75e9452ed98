/* The page: the list of decisions with its filters, and "What if?".
 *
 * Names, values and classes are the user's and may be anything: they reach the page as text, by textContent, and never
 * as HTML. */

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);

const PER_PAGE = 20;
const WAYS_SHOWN = 3;
const WAYS_FOUND = 30;
/* Milliseconds of searching after which the page says what it has. */
const PATIENCE = 200;
const MANY_FACTS = 12;
/* Up to so many values, and letters in all, are shown as radio buttons; more as a list to open. */
const RADIOS = 4;
const RADIO_LETTERS = 48;

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
  return make("span", {}, named(data.features[feature]), " from ", named(data.values[feature][old]), " to ",
    make("strong", {}, named(data.values[feature][code])));
}

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
        decision: columns.decision[way],
        chance: wayChance && wayChance[way] / 10000,
      });
      change += size;
    }
    result.push({
      number: i,
      name: rows.names ? rows.names[i] : `Row ${(i + 1).toLocaleString("en")}`,
      codes: Array.from(codes.slice(i * width, (i + 1) * width)),
      prediction: columns.prediction[i],
      chance: chance && chance[i] / 10000,
      status: columns.status[i],
      more: columns.more[i] === 1,
      ways,
      fewest: ways.reduce((least, w) => Math.min(least, w.features.length), Infinity),
      blocking: rows.blocking[i] || [],
    });
  }
  return result;
}

const rows = readRows(data.rows);

function searchText(row) {
  if (row.text === undefined) {
    const values = row.status === INVALID ? [] : row.codes.map((code, j) => `${data.features[j]} ${data.values[j][code]}`);
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
  const olds = way.features.map((j) => row.codes[j]);
  return make("li", {}, ...wayText(way.features, olds, way.codes), thenText(way.decision, way.chance));
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
  if (row.more) return "There are more ways; these are the simplest.";
  if (row.status === MAX_RESULTS) return "The search was stopped as asked: there may be other ways.";
  if (row.status === TIME_LIMIT) return "The search was stopped by its time limit: there may be other ways.";
  return "";
}

/* The row beside its first way. */
function valuesTable(row) {
  const way = row.ways[0];
  const head = ["Fact", "Now", ...(way ? ["First way"] : [])];
  const body = data.features.map((name, j) => {
    const place = way ? way.features.indexOf(j) : -1;
    const now = data.values[j][row.codes[j]];
    const cells = [make("th", { scope: "row" }, named(name)), make("td", {}, named(now))];
    if (place >= 0) cells.push(make("td", { class: "new" }, named(data.values[j][way.codes[place]])));
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

/* --- what if? ------------------------------------------------------------------------------------------------------ */

const whatif = {
  engine: null,
  works: false,
  row: null, // the row that it started from; null: fresh
  base: [],
  x: [],
  locked: [],
  target: null,
  facts: [],

  start() {
    if (data.classifier.missing) return this.refuse(data.classifier.missing);
    this.engine = makeEngine(data.classifier, {
      values: data.values, classes: data.classes.length, allowed: data.allowed, direction: data.direction,
      cost: data.cost, max_changes: data.max_changes,
    });
    this.works = true;
    this.locked = data.features.map((_, j) => data.locked.includes(j));
    this.target = data.classes.length > 2 && this.engine.canReach(data.target) ? data.target : null;
    at("whatif-panel").hidden = false;
    this.makeFacts();
    this.makeGoal();
    const readable = rows.filter((row) => row.status !== INVALID);
    at("pick-label").hidden = !readable.length;
    if (data.rows.names) at("pick-list").append(...readable.map((row) => make("option", { value: row.name })));
    at("pick").addEventListener("change", () => this.pick());
    at("reset").addEventListener("click", () => this.load(this.row));
    at("fresh").addEventListener("click", () => this.load(null));
    at("facts").addEventListener("submit", (event) => event.preventDefault());
    at("find").addEventListener("input", () => this.find());
    at("counts").addEventListener("toggle", () => this.showCounts());
    this.load(readable.length ? readable[0] : null);
    return undefined;
  },

  refuse(why) {
    at("whatif-missing").textContent = `This classifier is too large to be tried in a page. ${why}`;
    at("whatif-missing").hidden = false;
  },

  makeFacts() {
    this.facts = data.features.map((name, j) => this.makeFact(name, j));
    at("fact-list").append(...this.facts.map((fact) => fact.element));
    at("find-label").hidden = data.features.length <= MANY_FACTS;
    if (data.rules.length) {
      at("rules").append(make("li", {}, "Suggestions keep to these rules:"), ...data.rules.map((rule) => make("li", {}, named(rule))));
      at("rules").hidden = false;
    }
  },

  makeFact(name, j) {
    const labels = data.values[j];
    const was = make("span", { class: "was", hidden: true });
    const lock = make("input", { type: "checkbox", "aria-label": `Keep ${name} as it is in suggestions`,
      onchange: () => { this.locked[j] = lock.checked; this.update(); } });
    lock.checked = this.locked[j];
    const keep = make("label", { class: "keep" }, lock, "Keep");
    const title = [named(name), was, this.limits(j)];
    const letters = labels.reduce((sum, label) => sum + label.length, 0);
    if (labels.length <= RADIOS && letters <= RADIO_LETTERS) {
      const radios = labels.map((_, code) => make("input", { type: "radio", name: `fact-${j}`, value: code, onchange: () => this.change(j, code) }));
      const element = make("fieldset", { class: "fact" }, make("legend", { class: "title" }, ...title),
        make("div", { class: "choices" }, ...labels.map((label, code) => make("label", {}, radios[code], named(label)))), keep);
      return { element, was, lock, set: (code) => { radios[code].checked = true; } };
    }
    const select = make("select", { id: `fact-${j}`, onchange: () => this.change(j, Number(select.value)) },
      ...labels.map((label, code) => make("option", { value: code }, label)));
    const element = make("div", { class: "fact" }, make("label", { class: "title", for: `fact-${j}` }, ...title), keep, select);
    return { element, was, lock, set: (code) => { select.value = code; } };
  },

  /* What the suggestions may do with a fact. */
  limits(j) {
    const said = [];
    if (data.direction[j] & 1) said.push("may only go up");
    if (data.direction[j] & 2) said.push("may only go down");
    if (data.allowed[j]) said.push(`may only become ${data.allowed[j].map((code) => data.values[j][code]).join(" or ") || "nothing else"}`);
    return said.length ? make("span", { class: "limits" }, said.join("; ")) : "";
  },

  makeGoal() {
    if (data.classes.length === 2) return;
    const options = [[null, "any other"], ...data.classes.map((name, k) => [k, name])].filter(([k]) => this.engine.canReach(k));
    at("goal").append(...options.map(([k, name]) => make("option", { value: k === null ? "" : k }, name)));
    at("goal").value = this.target === null ? "" : this.target;
    at("goal-label").hidden = options.length < 2;
    at("goal").addEventListener("change", () => {
      this.target = at("goal").value === "" ? null : Number(at("goal").value);
      this.update();
    });
  },

  /* By name, or by number. */
  pick() {
    const given = at("pick").value.trim();
    const row = rows.find((r) => r.name.toLowerCase() === given.toLowerCase()) || rows[Number(given.replace(/^row /i, "").replaceAll(",", "")) - 1];
    if (row && row.status !== INVALID) this.load(row);
    else at("verdict").textContent = row ? "This row could not be read." : `There is no “${given}” among the ${counted(rows.length, "row", "rows")}.`;
  },

  open(row) {
    this.load(row);
    at("whatif").scrollIntoView();
    at("whatif").focus({ preventScroll: true });
  },

  load(row) {
    this.row = row;
    this.base = row ? [...row.codes] : data.features.map(() => 0);
    this.x = [...this.base];
    at("pick").value = row ? row.name : "";
    at("reset").textContent = row ? `Back to ${row.name}` : "Undo all changes";
    this.x.forEach((code, j) => this.facts[j].set(code));
    this.update();
  },

  change(j, code) {
    this.x[j] = code;
    this.update();
  },

  apply(way) {
    way.features.forEach((j, i) => {
      this.x[j] = way.codes[i];
      this.facts[j].set(way.codes[i]);
    });
    this.update();
    at("ways-title").focus();
  },

  find() {
    const wanted = at("find").value.trim().toLowerCase();
    this.facts.forEach((fact, j) => { fact.element.hidden = !data.features[j].toLowerCase().includes(wanted); });
  },

  update() {
    const answer = this.engine.changes(this.x, { locked: this.locked, target: this.target, limit: WAYS_FOUND, milliseconds: PATIENCE });
    this.facts.forEach((fact, j) => {
      const changed = this.x[j] !== this.base[j];
      fact.was.hidden = !changed;
      fact.was.replaceChildren(...(changed ? ["was ", named(data.values[j][this.base[j]])] : []));
    });
    at("reset").disabled = this.x.every((code, j) => code === this.base[j]);
    this.showVerdict(answer.prediction);
    this.showWays(answer);
    this.showCounts();
  },

  showVerdict(prediction) {
    const chances = this.engine.probabilities(this.x);
    const before = this.engine.predict(this.base);
    const parts = [tag(prediction)];
    if (chances) parts.push(" ", make("span", { class: "quiet" }, `probability ${percent(chances[prediction])}`));
    if (before !== prediction) parts.push(make("span", { class: "small" }, " It was ", named(data.classes[before]), "."));
    at("verdict").replaceChildren(...parts);
    at("gauge").replaceChildren(...this.gauge(chances));
  },

  /* How far from the cut, for two classes. */
  gauge(chances) {
    const { cut } = this.engine;
    const score = this.engine.score(this.x);
    if (score !== null) {
      const shown = Number(score.toPrecision(4)).toString().replace("-", "−");
      return [make("p", { class: "small" }, `Score ${shown}; the decision changes at 0.`)];
    }
    if (!chances || chances.length !== 2 || cut === null) return [];
    const length = (300 * chances[1]).toFixed(1);
    const place = Math.min(298, 300 * cut);
    const picture = makeSvg("svg", { viewBox: "0 0 300 20", "aria-hidden": "true", focusable: "false" },
      makeSvg("rect", { class: "rail", x: 0, y: 4, width: 300, height: 12, rx: 3 }),
      makeSvg("rect", { class: "bar", x: 0, y: 4, width: length, height: 12, rx: 3 }),
      makeSvg("rect", { class: "cut", x: place, y: 0, width: 2, height: 20 }));
    const text = make("p", { class: "small" }, "Probability of ", named(data.classes[1]), ` ${percent(chances[1])}; it takes ${percent(cut)}.`);
    return [picture, text];
  },

  /* What each fact adds to one side or the other, the weightiest first. */
  showCounts() {
    const found = this.engine.contributions(this.x);
    at("counts").hidden = !found;
    if (!found || !at("counts").open) return;
    const items = found.facts.map((weight, j) => ({ weight, label: [named(data.features[j]), ": ", named(data.values[j][this.x[j]])] }));
    items.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
    items.unshift({ weight: found.start, label: [make("em", {}, "Before any fact")] });
    const finite = items.map(({ weight }) => Math.abs(weight)).filter((w) => w < Infinity);
    const longest = Math.max(...finite, 1e-9);
    at("counts-list").replaceChildren(...items.map((item) => make("li", {}, ...this.count(item, longest))));
    at("counts-for").replaceChildren(named(data.classes[1]));
    at("counts-against").replaceChildren(named(data.classes[0]));
  },

  count({ weight, label }, longest) {
    const length = (100 * Math.min(Math.abs(weight), longest)) / longest;
    const bar = makeSvg("svg", { viewBox: "0 0 204 14", "aria-hidden": "true", focusable: "false" },
      makeSvg("rect", { class: "rail", x: 0, y: 1, width: 204, height: 12, rx: 3 }),
      makeSvg("rect", { class: weight < 0 ? "against" : "bar", x: weight < 0 ? 101 - length : 103, y: 1, width: length, height: 12 }),
      makeSvg("rect", { class: "cut", x: 101, y: 0, width: 2, height: 14 }));
    const size = Math.abs(weight) === Infinity ? "decides alone" : Math.abs(weight).toFixed(2);
    const side = Math.abs(weight) < 0.005 ? "either" : data.classes[weight < 0 ? 0 : 1];
    const said = make("span", { class: "small" }, make("span", { class: "sr" }, "speaks for ", named(side), ", "), size);
    return [make("span", {}, ...label), bar, said];
  },

  showWays({ ways, complete, found, prediction }) {
    const wanted = data.classes.length === 2 ? 1 - prediction : this.target;
    const title = at("ways-title");
    at("jump").textContent = ways.length ? `${complete ? "" : "At least "}${counted(ways.length, "way", "ways")} to change it` : "No way found to change it";
    const other = wanted === null ? ["another decision"] : [named(data.classes[wanted])];
    if (prediction === this.target) title.replaceChildren("This is the wanted decision");
    else if (ways.length) title.replaceChildren("What would make it ", ...other);
    else title.replaceChildren("Nothing found that would make it ", ...other);
    at("ways").replaceChildren(...ways.map((way) => this.wayItem(way)));
    at("ways-note").textContent = this.note(ways, complete, found, prediction);
  },

  wayItem(way) {
    const olds = way.features.map((j) => this.x[j]);
    const chances = this.engine.probabilities(way.row);
    const words = way.features.map((j, i) => `${data.features[j]} to ${data.values[j][way.codes[i]]}`).join(", ");
    return make("li", {}, make("div", {},
      make("span", {}, ...wayText(way.features, olds, way.codes), thenText(way.decision, chances && chances[way.decision])),
      make("button", { type: "button", "aria-label": `Try this: ${words}`, onclick: () => this.apply(way) }, "Try")));
  },

  note(ways, complete, found, prediction) {
    if (prediction === this.target) return "";
    const kept = this.locked.some(Boolean) ? " that leave alone what is ticked “Keep”" : "";
    if (ways.length === 0) return complete ? `There are no changes${kept} that would do it.` : "The search was stopped: there may be ways with more changes.";
    if (complete) return ways.length === 1 ? `This is the only way${kept}.` : `These are all ${counted(ways.length, "way", "ways")}${kept}; nothing in them could be left out.`;
    if (found > ways.length) return `Showing the ${ways.length} with the fewest changes. There are more.`;
    return `Showing the ${ways.length} with the fewest changes. The search was stopped there: there may be more with more changes.`;
  },
};

whatif.start();
list.start();
/* For the tests, and for the curious. */
window.symcf = { data, makeEngine, engine: whatif.engine };
