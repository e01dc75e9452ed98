/* Who is almost there, and groups side by side: from the decisions that the page lists. */

const ALMOST = 8;
/* Features with more values than this are no groups. */
const MOST_GROUPS = 12;

const compare = {
  readable: rows.filter((row) => row.status !== INVALID),

  start() {
    this.showAlmost();
    const features = data.features.map((_, j) => j).filter((j) => data.values[j].length > 1 && (data.values[j].length <= MOST_GROUPS || j === data.groups));
    if (this.readable.length < 2 || !features.length) return;
    at("groups").hidden = false;
    at("group-by").append(...features.map((j) => make("option", { value: j }, data.features[j])));
    at("group-by").value = data.groups === null ? features[0] : data.groups;
    at("group-by").addEventListener("change", () => this.showGroups());
    this.showGroups();
  },

  showAlmost() {
    const near = this.readable.filter((row) => row.ways.length).sort(almostFirst).slice(0, ALMOST);
    at("almost").hidden = !near.length;
    at("almost-title").replaceChildren(...(data.target === null ? ["Closest to another decision"] : ["Almost ", named(data.classes[data.target])]));
    at("almost-list").append(...near.map((row) => make("li", {},
      make("a", { href: linkOf(row) }, named(row.name)), " ",
      make("span", { class: "small" }, counted(row.fewest, "change", "changes"), row.chance === null ? "" : ", ", row.chance === null ? "" : chanceText(row)))));
  },

  showGroups() {
    const j = Number(at("group-by").value);
    const classes = data.target === null ? data.classes.map((_, k) => k).slice(0, 4) : [data.target];
    const heads = [data.features[j], "Decisions", ...classes.map((k) => data.classes[k]), "One change is enough", "Fewest changes, on average"];
    const body = data.values[j].map((name, code) => [name, this.readable.filter((row) => row.codes[j] === code)])
      .filter(([, members]) => members.length)
      .map(([name, members]) => this.groupLine(name, members, classes));
    at("group-table").replaceChildren(
      make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, named(text))))),
      make("tbody", {}, ...body));
  },

  /* Shares with bars; changes of those who were not decided as wanted. */
  groupLine(name, members, classes) {
    const share = (count, of) => (of ? [this.bar(count / of, "bar"), ` ${percent(count / of)}`] : ["–"]);
    const open = members.filter((row) => row.ways.length);
    const single = open.filter((row) => row.fewest === 1).length;
    const mean = open.length ? (open.reduce((sum, row) => sum + row.fewest, 0) / open.length).toFixed(2) : "–";
    return make("tr", {},
      make("th", { scope: "row" }, named(name)),
      make("td", {}, members.length.toLocaleString("en")),
      ...classes.map((k) => {
        const count = members.filter((row) => row.prediction === k).length;
        return make("td", {}, this.bar(count / members.length, tone(k)), ` ${percent(count / members.length)}`);
      }),
      make("td", {}, ...share(single, open.length)),
      make("td", {}, mean));
  },

  bar: (share, kind) => makeSvg("svg", { viewBox: "0 0 60 10", class: "tiny", "aria-hidden": "true", focusable: "false" },
    makeSvg("rect", { class: "rail", x: 0, y: 0, width: 60, height: 10, rx: 2 }),
    makeSvg("rect", { class: kind, x: 0, y: 0, width: (60 * share).toFixed(1), height: 10, rx: 2 })),
};
