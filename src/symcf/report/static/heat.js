/* The heat map: a line per decision that could be changed, a column per fact; the darker, the more of its ways change it. */

const HEAT_ROWS = 40;
const HEAT_COLUMNS = 16;
const CELL = 34;
const LINE = 16;
const NAMES = 120;

const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

const heat = {
  start() {
    const open = rows.filter((row) => row.ways.length);
    if (open.length < 3) return;
    const step = Math.max(1, open.length / HEAT_ROWS);
    const chosen = Array.from({ length: Math.min(open.length, HEAT_ROWS) }, (_, i) => open[Math.floor(i * step)]);
    const shares = new Map(chosen.map((row) => [row, this.shares(row)]));
    const total = data.features.map((_, j) => chosen.reduce((sum, row) => sum + shares.get(row)[j], 0));
    const columns = total.map((_, j) => j).filter((j) => total[j]).sort((a, b) => total[b] - total[a] || a - b).slice(0, HEAT_COLUMNS);
    // similar rows together: by decision, then by the share of the most frequent facts
    chosen.sort((a, b) => {
      if (a.prediction !== b.prediction) return a.prediction - b.prediction;
      for (const j of columns) {
        const gap = shares.get(b)[j] - shares.get(a)[j];
        if (Math.abs(gap) > 1e-9) return gap;
      }
      return a.number - b.number;
    });
    at("heat").hidden = false;
    at("heat-map").append(this.picture(chosen, columns, shares));
    const left = rows.length - open.length;
    const said = [];
    if (chosen.length < open.length) said.push(`${chosen.length} of ${open.length.toLocaleString("en")} decisions that have a way to another one, evenly spaced.`);
    if (left) said.push(`${counted(left, "decision is", "decisions are")} left out, because nothing has to change, nothing helps, or the search was stopped.`);
    at("heat-note").textContent = said.join(" ");
  },

  shares(row) {
    const counts = data.features.map(() => 0);
    row.ways.forEach((way) => way.features.forEach((j) => { counts[j] += 1; }));
    return counts.map((count) => count / row.ways.length);
  },

  picture(chosen, columns, shares) {
    const width = NAMES + columns.length * CELL + 90;
    const heads = 24 + 5.5 * Math.max(...columns.map((j) => cut(data.features[j], 22).length));
    const most = Math.max(...chosen.flatMap((row) => columns.map((j) => shares.get(row)[j])));
    const height = heads + chosen.length * LINE + 4;
    const parts = columns.map((j, i) => {
      const x = NAMES + i * CELL + CELL / 2;
      const head = makeSvg("text", { class: "name", transform: `translate(${x} ${heads - 6}) rotate(-45)` }, cut(data.features[j], 22));
      head.append(makeSvg("title", {}, data.features[j]));
      return head;
    });
    chosen.forEach((row, i) => {
      const y = heads + i * LINE;
      const link = makeSvg("a", { href: linkOf(row) }, makeSvg("text", { class: "name", x: NAMES - 6, y: y + 12, "text-anchor": "end" }, cut(row.name, 16)));
      parts.push(link, ...columns.map((j, k) => this.cell(row, j, shares.get(row)[j], most, NAMES + k * CELL, y)));
      if (i && chosen[i - 1].prediction !== row.prediction)
        parts.push(makeSvg("line", { class: "part", x1: 0, x2: NAMES + columns.length * CELL, y1: y, y2: y }));
    });
    const label = "Heat map. Each line is a decision, each column a fact; the darker a field, the more of the ways to another decision change this fact. The list below says the same in words.";
    return makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label, focusable: "false" }, ...parts);
  },

  cell(row, j, share, most, x, y) {
    const field = makeSvg("rect", { class: "heat", x: x + 1, y: y + 1, width: CELL - 2, height: LINE - 2, rx: 2, "fill-opacity": (0.06 + (0.94 * share) / most).toFixed(3) });
    field.append(makeSvg("title", {}, `${row.name}, ${data.features[j]}: in ${percent(share)} of the ways`));
    return field;
  },
};
