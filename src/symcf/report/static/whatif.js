/* "What if?": facts that people change, the decision, and what would still have to change. */

const WAYS_FOUND = 30;
/* Milliseconds of searching after which the page says what it has. */
const PATIENCE = 200;
const MANY_FACTS = 12;
const whatif = {
  engine: null,
  works: false,
  row: null, // the row that it started from; null: fresh
  base: [], // codes of the start, and what they are in words
  was: [],
  x: [], // codes of the present facts, and what they are in words
  now: [],
  locked: [],
  target: null,
  facts: [],

  start() {
    if (data.classifier.missing) return this.refuse(data.classifier.missing);
    const shape = {
      values: data.values, ordered: data.ordered, classes: data.classes.length, allowed: data.allowed, direction: data.direction,
      cost: data.cost, max_changes: data.max_changes,
    };
    this.engine = data.classifier.numbers ? makeNumberEngine(data.classifier.numbers, shape) : makeEngine(data.classifier, shape);
    this.works = true;
    this.locked = data.features.map((_, j) => data.locked.includes(j));
    this.target = this.engine.canReach(data.target) ? data.target : null;
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
    this.load(readable.find((row) => row.ways.length) || readable[0] || null);
    return undefined;
  },

  refuse(why) {
    at("whatif-missing").textContent = `This classifier cannot be tried in a page. ${why}`;
    at("whatif-missing").hidden = false;
  },

  makeFacts() {
    this.facts = data.features.map((name, j) => {
      const lock = make("input", { type: "checkbox", "aria-label": `Keep ${name} as it is in suggestions`,
        onchange: () => { this.locked[j] = lock.checked; this.update(); } });
      lock.checked = this.locked[j];
      return makeFact(j, make("label", { class: "keep" }, lock, "Keep"), (code, text) => this.change(j, code, text));
    });
    at("fact-list").append(...this.facts.map((fact) => fact.element));
    at("find-label").hidden = data.features.length <= MANY_FACTS;
    if (data.rules.length) {
      at("rules").append(make("li", {}, "Suggestions keep to these rules:"), ...data.rules.map((rule) => make("li", {}, named(rule))));
      at("rules").hidden = false;
    }
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
    this.base = row ? [...row.codes] : data.features.map((_, j) => (lineOf(j) ? lineOf(j).low : 0));
    this.was = this.base.map((code, j) => (row ? nowText(row, j) : textOf(j, code, null)));
    [this.x, this.now] = [[...this.base], [...this.was]];
    at("pick").value = row ? row.name : "";
    at("reset").textContent = row ? `Back to ${row.name}` : "Undo all changes";
    this.x.forEach((code, j) => this.facts[j].set(code, this.now[j]));
    this.update();
  },

  change(j, code, text) {
    this.x[j] = code;
    this.now[j] = text;
    this.update();
  },

  apply(way) {
    way.features.forEach((j, i) => {
      this.now[j] = textOf(j, way.codes[i], this.now[j]);
      this.x[j] = way.codes[i];
      this.facts[j].set(this.x[j], this.now[j]);
    });
    this.update();
    at("ways-title").focus();
  },

  find() {
    const wanted = at("find").value.trim().toLowerCase();
    this.facts.forEach((fact, j) => { fact.element.hidden = !data.features[j].toLowerCase().includes(wanted); });
  },

  update() {
    const moves = (j, code) => distanceOf(j, code, this.now[j]);
    const answer = this.engine.changes(this.x, { locked: this.locked, target: this.target, limit: WAYS_FOUND, milliseconds: PATIENCE, moves });
    const changed = this.now.map((text, j) => this.x[j] !== this.base[j] || text !== this.was[j]);
    this.facts.forEach((fact, j) => {
      fact.was.hidden = !changed[j];
      fact.was.replaceChildren(...(changed[j] ? ["was ", named(this.was[j])] : []));
    });
    at("reset").disabled = !changed.some(Boolean);
    this.showVerdict(answer.prediction);
    this.showWays(answer);
    this.showCounts();
  },

  showVerdict(prediction) {
    const chances = this.engine.probabilities(this.x);
    const before = this.engine.predict(this.base);
    const parts = [tag(prediction)];
    const gauge = this.gauge(chances);
    if (chances && !gauge.length) parts.push(" ", make("span", { class: "quiet" }, `probability ${percent(chances[prediction])}`));
    if (before !== prediction) parts.push(make("span", { class: "small" }, " It was ", named(data.classes[before]), "."));
    at("verdict").replaceChildren(...parts);
    at("gauge").replaceChildren(...gauge);
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
    const of = this.side();
    const takes = of === 1 ? cut : 1 - cut;
    const picture = makeSvg("svg", { viewBox: "0 0 300 20", "aria-hidden": "true", focusable: "false" },
      makeSvg("rect", { class: "rail", x: 0, y: 4, width: 300, height: 12, rx: 3 }),
      makeSvg("rect", { class: data.target === null ? "bar" : tone(this.engine.predict(this.x)), x: 0, y: 4, width: (300 * chances[of]).toFixed(1), height: 12, rx: 3 }),
      makeSvg("rect", { class: "cut", x: Math.min(298, 300 * takes), y: 0, width: 2, height: 20 }));
    return [picture, make("p", { class: "small" }, "Probability of ", named(data.classes[of]), ` ${percent(chances[of])}; it takes ${percent(takes)}.`)];
  },

  /* The one of two classes that the gauge and the weights are about: the wanted one. */
  side() {
    return data.target === null ? 1 : data.target;
  },

  /* What each fact adds to one side or the other, the weightiest first. */
  showCounts() {
    const found = this.engine.contributions(this.x);
    at("counts").hidden = !found;
    if (!found || !at("counts").open) return;
    const sign = this.side() === 1 ? 1 : -1;
    const items = found.facts.map((weight, j) => ({ weight: sign * weight, label: [named(data.features[j]), ": ", named(this.now[j])] }));
    items.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
    items.unshift({ weight: sign * found.start, label: [make("em", {}, "Before any fact")] });
    const finite = items.map(({ weight }) => Math.abs(weight)).filter((w) => w < Infinity);
    const longest = Math.max(...finite, 1e-9);
    at("counts-list").replaceChildren(...items.map((item) => make("li", {}, ...this.count(item, longest))));
    at("counts-for").replaceChildren(named(data.classes[this.side()]));
    at("counts-against").replaceChildren(named(data.classes[1 - this.side()]));
  },

  count({ weight, label }, longest) {
    const length = (100 * Math.min(Math.abs(weight), longest)) / longest;
    const bar = makeSvg("svg", { viewBox: "0 0 204 14", "aria-hidden": "true", focusable: "false" },
      makeSvg("rect", { class: "rail", x: 0, y: 1, width: 204, height: 12, rx: 3 }),
      makeSvg("rect", { class: tone(weight < 0 ? 1 - this.side() : this.side()), x: weight < 0 ? 101 - length : 103, y: 1, width: length, height: 12 }),
      makeSvg("rect", { class: "cut", x: 101, y: 0, width: 2, height: 14 }));
    const size = Math.abs(weight) === Infinity ? "decides alone" : Math.abs(weight).toFixed(2);
    const side = Math.abs(weight) < 0.005 ? "either" : data.classes[weight < 0 ? 1 - this.side() : this.side()];
    const said = make("span", { class: "small" }, make("span", { class: "sr" }, "speaks for ", named(side), ", "), size);
    return [make("span", {}, ...label), bar, said];
  },

  showWays({ ways, complete, found, prediction }) {
    const wanted = data.classes.length === 2 ? 1 - prediction : this.target;
    const title = at("ways-title");
    const other = wanted === null ? ["another decision"] : [named(data.classes[wanted])];
    const done = prediction === this.target;
    at("jump").textContent = done ? "This is the wanted decision"
      : ways.length ? `${complete ? "" : "At least "}${counted(ways.length, "way", "ways")} to change it` : "No way found to change it";
    if (done) title.replaceChildren("This is the wanted decision");
    else if (ways.length) title.replaceChildren("What would make it ", ...other);
    else title.replaceChildren("Nothing found that would make it ", ...other);
    at("ways").replaceChildren(...ways.map((way) => this.wayItem(way)));
    at("ways-note").textContent = this.note(ways, complete, found, prediction);
  },

  wayItem(way) {
    const olds = way.features.map((j) => this.now[j]);
    const texts = way.features.map((j, i) => textOf(j, way.codes[i], this.now[j]));
    const chances = this.engine.probabilities(way.row);
    const words = way.features.map((j, i) => `${data.features[j]} to ${texts[i]}`).join(", ");
    return make("li", {}, make("div", {},
      make("span", {}, ...wayText(way.features, olds, texts), thenText(way.decision, chances && chances[way.decision])),
      make("button", { type: "button", "aria-label": `Try this: ${words}`, onclick: () => this.apply(way) }, "Try")));
  },

  note(ways, complete, found, prediction) {
    if (prediction === this.target) return "Nothing has to change.";
    const kept = this.locked.some(Boolean) ? " that leave alone what is ticked “Keep”" : "";
    if (ways.length === 0) return complete ? `There are no changes${kept} that would do it.` : "The search was stopped: there may be ways with more changes.";
    if (complete) return ways.length === 1 ? `This is the only way${kept}.` : `These are all ${counted(ways.length, "way", "ways")}${kept}; nothing in them could be left out.`;
    if (found > ways.length) return `Showing the ${ways.length} with the fewest changes. There are more.`;
    return `Showing the ${ways.length} with the fewest changes. The search was stopped there: there may be more with more changes.`;
  },
};
