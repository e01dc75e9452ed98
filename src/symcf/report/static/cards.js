/* The list of decisions, with its filters and pages. */

const PER_PAGE = 20;
const WAYS_SHOWN = 3;

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
    if (row.status !== COMPLETE) return ["The search was stopped by its time limit before it found a way: there may be some."];
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
  const only = row.ways.length === 1 && !row.more;
  const single = row.ways.every((way) => way.features.length === 1);
  return [...what, only ? (single ? " with this change:" : " in this way:") : single ? " with any one of these changes:" : " in any one of these ways:"];
}

function restOf(row) {
  if (row.of > row.ways.length) return `Chosen out of ${row.of.toLocaleString("en")} ways, because they differ most.`;
  if (row.more) return `There are more ways; these are the ${data.dear ? "cheapest" : "ones with the fewest changes"}.`;
  const found = `after ${counted(row.ways.length, "way", "ways")}`;
  if (row.status === MAX_RESULTS) return `The search was stopped ${found}, the limit max_results: there may be others.`;
  if (row.status === TIME_LIMIT) return `The search was stopped by its time limit ${found}: there may be others, also with fewer changes.`;
  return "";
}

/* "GPA is low and income is small": enough for the decision, regardless of the other values. */
function reasonItem(row, features) {
  const parts = [];
  features.forEach((j, i) => {
    if (i) parts.push(i === features.length - 1 ? " and " : ", ");
    const value = data.values[j].length ? data.values[j][row.codes[j]] : nowText(row, j);
    parts.push(named(data.features[j]), " is ", make("strong", {}, named(value)));
    if (value !== nowText(row, j)) parts.push(" (here ", named(nowText(row, j)), ")");
  });
  return make("li", {}, ...parts);
}

function reasonsOf(row) {
  const shown = row.reasons.filter((features) => features.length);
  if (!shown.length) return row.reasonsCut ? [make("p", { class: "small" }, "The search for reasons was stopped by a time limit before it found one.")] : [];
  const enough = shown.length === 1 && !row.moreReasons ? "This was enough." : "Each of these was enough.";
  const { fixed, given } = data.condition;
  const condition = [" With these facts, ", ...(fixed ? ["and ", named(fixed), ", "] : []), "the decision is ", named(data.classes[row.prediction]),
    " regardless of the other values", ...(given ? [", ", named(given)] : []), "."];
  const more = row.reasonsCut ? " The search for reasons was stopped by a time limit: there may be others, also shorter ones."
    : row.moreReasons ? " There are more reasons; these are the shortest." : "";
  return [opening("Why it was decided so", () => make("div", {},
    make("p", {}, enough, ...condition, more),
    make("ol", { class: "reasons" }, ...shown.map((features) => reasonItem(row, features)))))];
}

/* Protected facts of which other values alone are enough for another decision. */
function aloneOf(row) {
  return row.alone.map((way) => {
    const features = way.map(([j]) => j);
    const names = features.flatMap((j, i) => [i === 0 ? "" : i === features.length - 1 ? " and " : ", ", named(data.features[j])]);
    const changes = wayText(features, features.map((j) => nowText(row, j)), way.map(([, text]) => text));
    return make("p", { class: "note" }, make("strong", {}, "Changing ", ...names, " alone is enough"), ": with ", ...changes,
      " and all other facts as they are, it would have been ", data.target === null ? "different" : named(data.classes[data.target]), ".");
  });
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

function chanceText(row) {
  if (row.chance === null || row.status === INVALID) return "";
  const { of, chance } = chanceOf(row.prediction, row.chance);
  const whose = of === row.prediction ? [] : [" of ", named(data.classes[of])];
  return make("span", { class: "quiet" }, "probability", ...whose, ` ${percent(chance)}`);
}

/* Ways that differ in one fact together: "GPA, and one of income or savings". */
function groupList(row) {
  const one = (alternatives) => {
    const names = alternatives.map((j) => named(data.features[j]));
    const parts = names.flatMap((name, i) => (i === 0 ? [name] : [i === names.length - 1 ? " or " : ", ", name]));
    return names.length === 1 ? parts : [make("span", { class: "together" }, "one of "), ...parts];
  };
  const line = (group) => {
    const [comma, and] = group.some((alternatives) => alternatives.length > 1) ? ["; ", "; and "] : [", ", " and "];
    return group.flatMap((alternatives, i) => [...(i === 0 ? [] : [i === group.length - 1 ? and : comma]), ...one(alternatives)]);
  };
  return make("ul", { class: "groups" }, ...row.groups.map((group) => make("li", {}, ...line(group))));
}

function card(row) {
  const id = `row-${row.number}`;
  const header = make("header", {}, make("h3", { id, tabindex: -1 }, named(row.name)));
  const parts = [header, ...aloneOf(row), make("p", {}, ...leadOf(row))];
  if (row.status !== INVALID) {
    header.append(tag(row.prediction), chanceText(row));
  }
  const actions = [make("a", { class: "link", href: linkOf(row), "aria-describedby": id, title: "A link to this decision, to copy" }, "Link")];
  if (whatif.works && row.status !== INVALID)
    actions.push(make("button", { type: "button", class: "main", "aria-describedby": id, onclick: () => whatif.open(row) }, "What if?"));
  header.append(make("span", { class: "actions" }, ...actions));
  if (row.ways.length) {
    parts.push(make("ol", { class: "ways" }, ...row.ways.slice(0, WAYS_SHOWN).map((way) => wayItem(row, way))));
    const others = row.ways.slice(WAYS_SHOWN);
    if (others.length)
      parts.push(opening(counted(others.length, "more way", "more ways"), () =>
        make("ol", { class: "ways", start: WAYS_SHOWN + 1 }, ...others.map((way) => wayItem(row, way)))));
    if (row.groups.length) parts.push(opening("These ways in short", () => groupList(row)));
    const rest = restOf(row);
    if (rest) parts.push(make("p", { class: "small" }, rest));
  }
  parts.push(...reasonsOf(row));
  if (row.status !== INVALID) parts.push(opening("All facts of this decision", () => valuesTable(row)));
  return make("article", { class: "card", "aria-labelledby": id }, ...parts);
}

const list = {
  page: 0,
  matching: rows,

  start() {
    if (!rows.length) {
      at("rows").hidden = true;
      return;
    }
    at("filters").hidden = rows.length === 1;
    at("by-decision").append(make("option", { value: "" }, "any"), ...data.classes.map((name, k) => make("option", { value: k }, name)));
    const used = new Set(rows.flatMap((row) => row.ways.flatMap((way) => way.features)));
    at("by-feature").append(make("option", { value: "" }, "anything"),
      ...data.features.map((name, j) => [name, j]).filter(([, j]) => used.has(j)).map(([name, j]) => make("option", { value: j }, name)));
    for (const id of ["by-decision", "by-feature", "by-size", "by-order"]) at(id).addEventListener("change", () => this.filter());
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
    if (at("by-order").value === "almost") this.matching.sort(almostFirst);
    this.page = 0;
    this.show();
  },

  turn(step) {
    this.page += step;
    this.show();
    at("rows").scrollIntoView();
    at("cards").querySelector("button, summary")?.focus({ preventScroll: true });
  },

  /* Shows a row, whatever the filters are, and gives it the focus. */
  go(row) {
    if (!this.matching.includes(row)) {
      at("filters").reset();
      this.filter();
    }
    this.page = Math.floor(this.matching.indexOf(row) / PER_PAGE);
    this.show();
    at(`row-${row.number}`).scrollIntoView();
    at(`row-${row.number}`).focus({ preventScroll: true });
  },

  /* For paper: all that match, with everything unfolded. */
  showAll() {
    at("cards").replaceChildren(...this.matching.map(card));
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
