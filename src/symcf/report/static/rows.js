/* The decisions of the page: what was given, what was decided, and what would have changed it. */

const COMPLETE = 0;
const MAX_RESULTS = 1;
const TIME_LIMIT = 2;
const INVALID = 3;
const AT_TARGET = 4;

function readRows(rows) {
  const width = data.features.length;
  const codes = unpacked(rows.codes);
  const columns = {};
  for (const name of ["prediction", "status", "more", "ways", "sizes", "features", "new", "decision"])
    columns[name] = unpacked(rows[name]);
  const chance = rows.chance && unpacked(rows.chance);
  const wayChance = rows.way_chance && unpacked(rows.way_chance);
  const of = rows.of && unpacked(rows.of);
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
      of: of ? of[i] : ways.length, // how many there were to choose from
      fewest: ways.reduce((least, w) => Math.min(least, w.features.length), Infinity),
      blocking: rows.blocking[i] || [],
      groups: rows.groups[i] || [],
      reasons: [],
      moreReasons: false,
      reasonsCut: false,
      alone: rows.alone[i] || [], // protected facts that decide alone: pairs of a feature and its other value
    });
  }
  return result;
}

/* The smallest reasons of each row. */
function readReasons(reasons) {
  if (!reasons) return;
  const columns = {};
  for (const name of ["count", "more", "cut", "sizes", "features"]) columns[name] = unpacked(reasons[name]);
  let place = 0;
  let start = 0;
  rows.forEach((row, i) => {
    row.moreReasons = columns.more[i] === 1;
    row.reasonsCut = columns.cut[i] === 1;
    for (let k = 0; k < columns.count[i]; k++, place++) {
      row.reasons.push(Array.from(columns.features.slice(start, start + columns.sizes[place])));
      start += columns.sizes[place];
    }
  });
}

/* Columns of numbers: the numbers themselves stand in the place of codes. */
function readNumbers(numbers) {
  if (!numbers) return;
  rows.forEach((row, i) => numbers.features.forEach((j, k) => { row.codes[j] = numbers.rows[i][k]; }));
}

const rows = readRows(data.rows);
readNumbers(data.rows.numbers);
readReasons(data.rows.reasons);

/* What was given for a feature: a number where the classifier reads numbers, else the name of the value. */
const nowText = (row, j) => (row.cells ? row.cells[j] : data.values[j][row.codes[j]]);

/* What the features of a way become, in the same words. */
const thenTexts = (way) => way.cells || valueNames(way.features, way.codes);

/* How a link names a row: by its name, or by its number where names are missing, empty or not unique. */
const unique = data.rows.names && new Set(data.rows.names).size === rows.length && !data.rows.names.includes("");
const byName = unique ? new Map(rows.map((row) => [row.name, row])) : null;

const linkOf = (row) => `#row=${encodeURIComponent(byName ? row.name : row.number + 1)}`;

/* The row of a link such as #row=17, or null. */
function rowOfLink(hash) {
  const given = /^#row=(.+)$/.exec(hash);
  if (!given) return null;
  let text = given[1];
  try {
    text = decodeURIComponent(text);
  } catch {
    return null;
  }
  // never both: the number of one decision may be the name of another
  return (byName ? byName.get(text) : rows[Number(text) - 1]) || null;
}

/* Who needs the least: the fewest changes first, then the likeliest to be decided otherwise. */
function nearness(row) {
  const { of, chance } = row.chance === null ? { of: -1, chance: 0 } : chanceOf(row.prediction, row.chance);
  return of === row.prediction ? 1 - chance : chance;
}

const almostFirst = (a, b) => (a.fewest === b.fewest ? nearness(b) - nearness(a) || a.number - b.number : a.fewest < b.fewest ? -1 : 1);
