/* Classifiers over columns of numbers, as symcf/report/numbers.py wrote them: the same questions as in engine.js.
 *
 * An instance has numbers where columns have numbers, and value codes elsewhere. What decides are sums of integers, each
 * term rounded as src/core/additive.c rounds it; BigInt holds them exactly. */

const HALF = 1n << 63n;

/* A double as an integer times a power of two. */
function digitsOf(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 2047n);
  const fraction = bits & ((1n << 52n) - 1n);
  const digits = exponent ? fraction | (1n << 52n) : fraction;
  return [bits >> 63n ? -digits : digits, (exponent || 1) - 1075];
}

/* floor(n * 2^shift) */
const shifted = (n, shift) => (shift >= 0 ? n << BigInt(shift) : n >> BigInt(-shift));

/* a * 2^e - b * 2^f as digits and an exponent, rounded to 61 bits if it has more: symcf/models/scaling.py. */
function difference(a, e, b, f) {
  const least = Math.min(e, f);
  const exact = (a << BigInt(e - least)) - (b << BigInt(f - least));
  const size = exact < 0n ? -exact : exact;
  const extra = size.toString(2).length - 61;
  if (extra <= 0) return [exact, least];
  const short = (size + (1n << BigInt(extra - 1))) >> BigInt(extra);
  return [exact < 0n ? -short : short, least + extra];
}

function makeNumberEngine(written, shape) {
  const { columns, scale, later_wins: laterWins, range_bits: rangeBits } = written;
  const bias = written.bias.map(BigInt);
  const doubt = BigInt(written.doubt);
  const tables = written.tables.map((table) => table && table.map((line) => line.map(BigInt)));
  const polynomials = columns.map((column) => column && bias.map((_, k) => ({
    curve: BigInt(column.curve[k][0]), curveExponent: column.curve[k][1], slope: BigInt(column.slope[k][0]), slopeExponent: column.slope[k][1],
  })));
  const features = columns.map((_, j) => j);

  function term(j, k, value) {
    if (tables[j]) return tables[j][k][value];
    return rounded(polynomials[j][k], value);
  }

  function rounded(p, value) {
    const [digits, exponent] = digitsOf(value);
    const units = scale + 64 + exponent;
    const square = shifted(p.curve * digits * digits, units + exponent + p.curveExponent);
    const line = shifted(p.slope * digits, units + p.slopeExponent);
    return (square + line + HALF) >> 64n;
  }

  const differences = new Map();

  /* The polynomial of the difference of two sums. */
  function differenceOf(j, a, b) {
    const key = `${j} ${a} ${b}`;
    if (!differences.has(key)) {
      const [p, q] = [polynomials[j][a], polynomials[j][b]];
      const [curve, curveExponent] = difference(p.curve, p.curveExponent, q.curve, q.curveExponent);
      const [slope, slopeExponent] = difference(p.slope, p.slopeExponent, q.slope, q.slopeExponent);
      differences.set(key, { curve, curveExponent, slope, slopeExponent });
    }
    return differences.get(key);
  }

  const termsOf = (x) => bias.map((_, k) => features.map((j) => term(j, k, x[j])));
  const totalsOf = (terms) => terms.map((line, k) => line.reduce((a, b) => a + b, bias[k]));

  function classOf(totals) {
    if (totals.length === 1) return totals[0] > 0n || (totals[0] === 0n && laterWins) ? 1 : 0;
    let best = 0;
    for (let k = 1; k < totals.length; k++)
      if (totals[k] > totals[best] || (totals[k] === totals[best] && laterWins)) best = k;
    return best;
  }

  const predict = (x) => classOf(totalsOf(termsOf(x)));
  const float = (n) => Number(n) / 2 ** scale;

  function probabilities(x) {
    if (!written.probability) return null;
    const sums = totalsOf(termsOf(x)).map(float);
    const sure = (s) => (s > 0 ? -Math.log1p(Math.exp(-s)) : s - Math.log1p(Math.exp(s)));
    const logs = sums.length === 1 ? [sure(-sums[0]), sure(sums[0])] : written.probability === "logistic" ? sums : sums.map(sure);
    const top = Math.max(...logs);
    const odds = logs.map((s) => Math.exp(s - top));
    const all = odds.reduce((a, b) => a + b, 0);
    return odds.map((o) => o / all);
  }

  const score = (x) => (written.probability || bias.length > 1 ? null : float(totalsOf(termsOf(x))[0]));

  const contributions = (x) => (bias.length > 1 ? null : { start: float(bias[0]), facts: termsOf(x)[0].map(float) });

  /* --- what a rival gains ------------------------------------------------------------------------------------------- */

  /* The classes that could win instead: by sum the sign of the margin, and what it lacks. */
  function rivalsOf(x, terms, prediction) {
    const size = terms.reduce((most, line, k) => {
      const sum = line.reduce((a, b) => a + (b < 0n ? -b : b), bias[k] < 0n ? -bias[k] : bias[k]);
      return sum > most ? sum : most;
    }, 0n);
    const beyond = 1n + ((size - 1n) >> BigInt(rangeBits));
    const least = doubt * (beyond > 1n ? beyond : 1n);
    const rival = (k, sign, need) => {
      const start = bias.reduce((sum, b, i) => sum + BigInt(sign[i]) * b, 0n);
      const margin = features.reduce((sum, j) => sum + favour(j, sign, x[j]), start);
      return { k, sign, deficit: (need > least ? need : least) - margin };
    };
    if (bias.length === 1) {
      const up = prediction === 0;
      return [rival(1 - prediction, [up ? 1 : -1], up === laterWins ? 0n : 1n)];
    }
    return bias.map((_, k) => k).filter((k) => k !== prediction).map((k) =>
      rival(k, bias.map((_, i) => (i === k ? 1 : i === prediction ? -1 : 0)), k > prediction === laterWins ? 0n : 1n));
  }

  /* What a value adds to a margin. The difference of two terms of numbers is rounded once. */
  function favour(j, sign, value) {
    if (tables[j] || bias.length === 1) return sign.reduce((sum, s, k) => (s ? sum + BigInt(s) * term(j, k, value) : sum), 0n);
    return rounded(differenceOf(j, sign.indexOf(1), sign.indexOf(-1)), value);
  }

  const mayGo = (way, own, value) => way === 0 || (way === 1 && value > own) || (way === 2 && value < own);

  /* Where a margin may be largest: the ends of a column's range, and where it turns between them. */
  function stopsOf(column, sign) {
    const [a, b] = sign.flatMap((s, k) => (s ? [k] : []));
    const pair = b === undefined ? 0 : (b * (b - 1)) / 2 + a;
    return [column.low, column.high, ...(column.stops[pair] || [])];
  }

  /* Where a feature gains most, and how much: { most, stop }. */
  function bestOf(j, sign, x, locked) {
    const way = written.direction[j];
    const own = favour(j, sign, x[j]);
    const best = { most: 0n, stop: null };
    if (locked[j] || way === 3) return best;
    for (const value of columns[j] ? stopsOf(columns[j], sign) : written.values[j]) {
      if (value === x[j] || !mayGo(way, x[j], value)) continue;
      const gain = favour(j, sign, value) - own;
      if (gain > best.most) Object.assign(best, { most: gain, stop: value });
    }
    return best;
  }

  /* --- the nearest values ---------------------------------------------------------------------------------------------- */

  /* The first number on the way from the own one to `end` with which enough is gained, on the coarsest grid that has one;
   * null if there is none. The gain
   * rises on the way, or falls first and then rises: so what is enough stays enough. */
  function firstOn(column, own, from, end, enough) {
    if (!enough(end)) return null;
    const up = end > own;
    for (const [p, q] of column.grids) {
      const at = (k) => (k * p) / q;
      const round = (number) => (up ? Math.ceil((number * q) / p) : Math.floor((number * q) / p));
      let [near, far] = [round(from), up ? Math.floor((end * q) / p) : Math.ceil((end * q) / p)];
      if (up ? near <= far && enough(at(far)) : near >= far && enough(at(far))) {
        if (at(near) !== own && enough(at(near))) return at(near);
        while (Math.abs(far - near) > 1) {
          const middle = Math.trunc((near + far) / 2);
          if (enough(at(middle))) far = middle;
          else near = middle;
        }
        return at(far);
      }
    }
    let [short, good] = [from, end];
    if (short !== own && enough(short)) return short;
    for (;;) {
      const middle = short + (good - short) / 2;
      if (middle === short || middle === good) return good;
      if (enough(middle)) good = middle;
      else short = middle;
    }
  }

  /* The number nearest to the own one with which the margin gains at least `need`. */
  function nearestOf(j, sign, x, need, stop) {
    const column = columns[j];
    const own = favour(j, sign, x[j]);
    const enough = (value) => favour(j, sign, value) - own >= need;
    const way = written.direction[j];
    const found = [];
    for (const up of [true, false]) {
      if ((up && way === 2) || (!up && way === 1)) continue;
      const from = up ? Math.max(x[j], column.low) : Math.min(x[j], column.high);
      const ends = stopsOf(column, sign).filter((end) => (up ? end > x[j] : end < x[j]) && enough(end));
      if (!ends.length) continue;
      const end = up ? Math.min(...ends) : Math.max(...ends);
      const number = firstOn(column, x[j], up ? Math.min(from, end) : Math.max(from, end), end, enough);
      if (number !== null && number !== x[j]) found.push(number);
    }
    if (!found.length) return stop;
    return found.reduce((a, b) => (Math.abs(b - x[j]) < Math.abs(a - x[j]) ? b : a));
  }

  const distance = (j, x, value) => {
    if (columns[j]) return Math.abs(value - x[j]) / (columns[j].high - columns[j].low || 1);
    return shape.ordered[j] ? Math.abs(value - x[j]) / Math.max(1, shape.values[j].length - 1) : 1;
  };

  /* New values for a set with which the rival wins: numbers go as far as they have to. null if it does not win. */
  function valuesFor(set, { sign, deficit }, x, best) {
    const numbers = set.filter((j) => columns[j]);
    const others = set.filter((j) => !columns[j]);
    const rate = (j) => distance(j, x, best[j].stop) / Number(best[j].most);
    numbers.sort((a, b) => rate(b) - rate(a));
    const room = numbers.reduce((sum, j) => sum + best[j].most, 0n);
    const lists = others.map((j) => written.values[j].filter((v) => v !== x[j] && mayGo(written.direction[j], x[j], v)));
    let found = null;
    let looked = 0;
    for (const chosen of others.length ? choices(lists) : [[]]) {
      if (++looked > 2000 && found) break;
      const gain = others.reduce((sum, j, i) => sum + favour(j, sign, chosen[i]) - favour(j, sign, x[j]), 0n);
      let surplus = room + gain - deficit;
      if (surplus < 0n) continue;
      const value = new Map(others.map((j, i) => [j, chosen[i]]));
      for (const j of numbers) {
        const number = surplus || columns[j].grids.length ? nearestOf(j, sign, x, best[j].most - surplus, best[j].stop) : best[j].stop;
        surplus -= best[j].most - (favour(j, sign, number) - favour(j, sign, x[j]));
        value.set(j, number);
      }
      const far = set.reduce((sum, j) => sum + distance(j, x, value.get(j)), 0);
      if (!found || far < found.far) found = { far, codes: set.map((j) => value.get(j)) };
    }
    return found;
  }

  /* --- changes, as in engine.js --------------------------------------------------------------------------------------- */

  function setsOf(lines, most, limit, steps) {
    const found = [];
    let more = true;
    try {
      for (let size = 1; size <= most && more; size++) {
        more = false;
        const fresh = new Map();
        const collect = (set) => {
          if (!found.some((s) => s.every((j) => set.includes(j)))) fresh.set(set.join(), set);
        };
        try {
          for (const [line, gain] of lines) more = coverSets(line, gain, { zero: 0n }, size, collect, steps) || more;
        } finally {
          found.push(...fresh.values());
        }
        if (more && found.length > limit) return { sets: found.sort(compareSets), complete: size >= most };
      }
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      return { sets: found.sort(compareSets), complete: false };
    }
    return { sets: found.sort(compareSets), complete: true };
  }

  function changes(x, { locked = null, target = null, limit = 50, steps = 400000, milliseconds = Infinity } = {}) {
    const terms = termsOf(x);
    const prediction = classOf(totalsOf(terms));
    if (target === prediction) return { prediction, ways: [], complete: true, found: 0 };
    const rivals = rivalsOf(x, terms, prediction).map((rival) => ({ ...rival, best: features.map((j) => bestOf(j, rival.sign, x, locked || [])) }));
    const lines = rivals.map(({ deficit, best }) => {
      const helping = best.map(({ most }, feature) => ({ feature, gain: most })).filter(({ gain }) => gain > 0n);
      helping.sort((a, b) => (a.gain === b.gain ? a.feature - b.feature : a.gain < b.gain ? 1 : -1));
      const before = [0n];
      helping.forEach(({ gain }, i) => before.push(before[i] + gain));
      return [{ total: -deficit }, { helping, before }];
    });
    const most = Math.min(features.length, shape.max_changes === null ? features.length : shape.max_changes);
    const { sets, complete } = setsOf(lines, most, limit, new Steps(steps, milliseconds));
    const ways = sets.slice(0, limit).map((set) => {
      const options = rivals.map((rival) => valuesFor(set, rival, x, rival.best)).filter(Boolean);
      const { codes } = options.reduce((a, b) => (b.far < a.far ? b : a));
      const row = [...x];
      set.forEach((j, i) => { row[j] = codes[i]; });
      return { features: set, codes, price: set.length, row, decision: predict(row) };
    });
    return { prediction, ways, complete: complete && sets.length <= limit, found: sets.length };
  }

  const canReach = (target) => target === null || bias.length === 1;

  return { predict, probabilities, score, contributions, changes, canReach, cut: written.probability && bias.length === 1 ? 0.5 : null };
}
