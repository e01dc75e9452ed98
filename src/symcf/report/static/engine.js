/* The classifier in the page: decisions, probabilities, and the least that would have to change.
 *
 *   const engine = makeEngine(classifier, shape);
 *   engine.predict([0, 2, 1]);                              // the code of a class
 *   engine.changes([0, 2, 1], { locked: [false, true, false] });   // the minimal sets of changes
 *
 * `classifier` is what symcf/report/classifier.py wrote. Instances are arrays of value codes. A way to another decision
 * is a set of features that have to change, none of which could be spared. Sets are found by size: first all of one
 * change, then all of two. A search that is stopped says so. */

/* Numbers that packed() of classifier.py wrote. */
function unpacked(field) {
  const text = atob(field.data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const width = field.bits / 8;
  const numbers = new (width === 1 ? Uint8Array : width === 2 ? Uint16Array : Uint32Array)(bytes.length / width);
  for (let i = 0; i < numbers.length; i++)
    for (let b = width - 1; b >= 0; b--) numbers[i] = numbers[i] * 256 + bytes[i * width + b];
  return numbers;
}

/* By size, then by the features themselves. */
function compareSets(a, b) {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

/* --- diagrams ------------------------------------------------------------------------------------------------------
 * Nodes 0 and 1 are the sinks; every other node comes after its children, level by level from the bottom. */

function makeDiagram(written) {
  const levels = written.order.length;
  const count = written.nodes.reduce((sum, nodes) => sum + nodes, 2);
  const level = new Uint32Array(count).fill(levels);
  const start = new Uint32Array(count);
  let node = 2;
  let edge = 0;
  written.nodes.forEach((nodes, i) => {
    const here = levels - 1 - i;
    for (let k = 0; k < nodes; k++, node++, edge += written.arity[here]) {
      level[node] = here;
      start[node] = edge;
    }
  });
  return { root: written.root, order: written.order, level, start, child: unpacked(written.child), count };
}

function evaluate(diagram, core) {
  let node = diagram.root;
  while (node > 1) node = diagram.child[diagram.start[node] + core[diagram.order[diagram.level[node]]]];
  return node;
}

const UNREACHABLE = 65535;

/* By node, the least number of changes that leads from it to the sink. */
function distances(diagram, core, options, sink) {
  const { level, start, child, order, count } = diagram;
  const least = new Uint16Array(count).fill(UNREACHABLE);
  least[sink] = 0;
  for (let node = 2; node < count; node++) {
    const feature = order[level[node]];
    let best = least[child[start[node] + core[feature]]];
    for (const code of options[feature]) {
      const other = least[child[start[node] + code]] + 1;
      if (other < best) best = other;
    }
    least[node] = best;
  }
  return least;
}

/* Sets of features that are minimal so far; tells whether a growing set contains one of them. */
class Found {
  constructor(features) {
    this.sets = [];
    this.holding = Array.from({ length: features }, () => []);
    this.chosen = new Uint8Array(features);
  }

  add(set) {
    this.sets.push(set);
    for (const feature of set) this.holding[feature].push(set);
  }

  /* Is there a set within the chosen features that has this one? */
  completedBy(feature) {
    return this.holding[feature].some((set) => set.every((other) => this.chosen[other]));
  }
}

/* The search gives up: there is more to look at than it may. */
class OutOfSteps extends Error {}

/* So many steps, and so many milliseconds, which are looked at now and then. */
class Steps {
  constructor(most, milliseconds) {
    this.left = most;
    this.look = most - 500;
    this.end = performance.now() + milliseconds;
  }

  take(count) {
    this.left -= count;
    if (this.left < 0) throw new OutOfSteps();
    if (this.left < this.look) {
      this.look = this.left - 500;
      if (performance.now() > this.end) throw new OutOfSteps();
    }
  }
}

/* All sets of exactly `size` features that reach the sink and contain none that was found before.
 *
 * From the root down, each feature keeps its value or is set free, and the nodes that can be reached are followed. The
 * least number of further changes that one of them needs says when to give up. Returns whether a larger size may give
 * more. */
function diagramSets(diagram, core, options, sink, size, found, steps) {
  const { level, start, child, order } = diagram;
  const alone = options.map((codes, feature) => (found.holding[feature].some((s) => s.length === 1) ? [] : codes));
  const least = distances(diagram, core, alone, sink);
  const { chosen } = found;
  const fresh = [];
  let larger = false;

  function go(nodes, taken) {
    steps.take(nodes.length);
    let needed = UNREACHABLE;
    let top = UNREACHABLE;
    for (const node of nodes) {
      if (least[node] < needed) needed = least[node];
      if (level[node] < top) top = level[node];
    }
    if (needed >= UNREACHABLE) return;
    if (taken + needed > size) {
      larger = true;
      return;
    }
    if (needed === 0) {
      if (taken === size) fresh.push([...chosen.keys()].filter((feature) => chosen[feature]));
      return;
    }
    const feature = order[top];
    const kept = new Set();
    const free = new Set();
    for (const node of nodes) {
      if (level[node] !== top) {
        kept.add(node);
        free.add(node);
        continue;
      }
      const same = child[start[node] + core[feature]];
      kept.add(same);
      free.add(same);
      for (const code of alone[feature]) free.add(child[start[node] + code]);
    }
    go([...kept], taken);
    if (free.size === kept.size) return; // kept is a part of free: nothing is gained
    chosen[feature] = 1;
    if (!found.completedBy(feature)) go([...free], taken + 1);
    chosen[feature] = 0;
  }

  chosen.fill(0);
  go([diagram.root], 0);
  fresh.forEach((set) => found.add(set));
  return larger;
}

/* --- sums of weights -----------------------------------------------------------------------------------------------
 * Integers of up to 61 bits: BigInt where Number would round. */

function makeSums(written) {
  const number = written.big ? BigInt : Number;
  return {
    offset: written.offset,
    weights: written.weights.map((line) => line.map(number)),
    bias: written.bias.map(number),
    zero: number(0),
    one: number(1),
    laterWins: written.later_wins,
  };
}

function totals(sums, core) {
  return sums.bias.map((bias, k) => core.reduce((sum, code, j) => sum + sums.weights[k][sums.offset[j] + code], bias));
}

function largestTotal(sums, core) {
  const found = totals(sums, core);
  if (found.length === 1) return found[0] >= sums.zero ? 1 : 0;
  let best = 0;
  for (let k = 1; k < found.length; k++)
    if (found[k] > found[best] || (found[k] === found[best] && sums.laterWins)) best = k;
  return best;
}

/* The functions of which one has to reach 0 for another decision: what each value adds, and what there is. Two classes:
 * the sum itself, or its opposite (s < 0 iff -s - 1 >= 0). More: for each rival its lead over the present class. */
function rivalLines(sums, core, prediction) {
  const now = totals(sums, core);
  const weights = sums.weights;
  if (now.length === 1) {
    if (prediction === 0) return [{ total: now[0], weight: (i) => weights[0][i] }];
    return [{ total: -now[0] - sums.one, weight: (i) => -weights[0][i] }];
  }
  const lines = [];
  for (let r = 0; r < now.length; r++) {
    if (r === prediction) continue;
    const winsTies = r > prediction === sums.laterWins;
    const total = now[r] - now[prediction] - (winsTies ? sums.zero : sums.one);
    lines.push({ total, weight: (i) => weights[r][i] - weights[prediction][i] });
  }
  return lines;
}

/* For a line, the features that help, those that help most first, and what each adds at best. */
function gains(line, sums, core, options) {
  const helping = [];
  options.forEach((codes, feature) => {
    const own = line.weight(sums.offset[feature] + core[feature]);
    let best = sums.zero;
    for (const code of codes) {
      const gain = line.weight(sums.offset[feature] + code) - own;
      if (gain > best) best = gain;
    }
    if (best > sums.zero) helping.push({ feature, gain: best });
  });
  helping.sort((a, b) => (a.gain === b.gain ? a.feature - b.feature : a.gain < b.gain ? 1 : -1));
  const before = [sums.zero];
  helping.forEach(({ gain }, i) => before.push(before[i] + gain));
  return { helping, before };
}

/* All sets of exactly `size` features whose best values raise the line to 0, and none fewer. They are built from the
 * largest gains down and end as soon as 0 is reached, so the last feature is the weakest and none can be spared. Returns
 * whether a larger size may give more. */
function coverSets(line, { helping, before }, sums, size, collect, steps) {
  const set = [];
  let larger = false;

  function go(from, total) {
    steps.take(1);
    const left = size - set.length;
    if (total >= sums.zero) {
      if (left === 0) collect([...set].sort((a, b) => a - b));
      return;
    }
    if (left === 0) {
      if (total + before[helping.length] - before[from] >= sums.zero) larger = true;
      return;
    }
    for (let i = from; i < helping.length; i++) {
      if (total + before[helping.length] - before[i] < sums.zero) return;
      if (total + before[Math.min(i + left, helping.length)] - before[i] < sums.zero) {
        larger = true;
        return;
      }
      set.push(helping[i].feature);
      go(i + 1, total + helping[i].gain);
      set.pop();
    }
  }

  go(0, line.total);
  return larger;
}

/* --- values for a set of features ------------------------------------------------------------------------------- */

/* Ways to choose values that are all looked at; beyond, the first good ones are taken. */
const MOST_CHOICES = 20000;

/* Moves are counted in parts of a feature's span. */
const PARTS_OF_A_SPAN = 4096;

/* Every choice of one code a feature, in the order of the codes. */
function* choices(lists) {
  const place = lists.map(() => 0);
  if (lists.some((list) => list.length === 0)) return;
  for (;;) {
    yield place.map((p, i) => lists[i][p]);
    let i = lists.length - 1;
    while (i >= 0 && ++place[i] === lists[i].length) place[i--] = 0;
    if (i < 0) return;
  }
}

/* --- the engine ---------------------------------------------------------------------------------------------------- */

function makeEngine(classifier, shape) {
  const features = shape.values.length;
  const classes = shape.classes;
  const diagrams = classifier.diagrams.map(makeDiagram);
  const ofClass = classifier.of_class.map((i) => (i === null ? null : diagrams[i]));
  const sums = classifier.sums && makeSums(classifier.sums);
  const margins = classifier.margins && makeSums(classifier.margins);
  const { groups, chances, within } = classifier;
  const { allowed, direction, cost, ordered } = shape;
  const trees = classifier.trees && makeTrees(classifier.trees, classes);
  const byTrees = Boolean(trees && classifier.by_trees);
  const byDiagram = classes === 2 ? ofClass[1] !== null : ofClass.every((diagram) => diagram !== null);

  const coreOf = (feature, code) => (groups ? groups[feature][code] : code);
  const coreCodes = (x) => x.map((code, feature) => coreOf(feature, code));

  function predict(x) {
    if (byTrees) return largestVote(trees, x);
    const core = coreCodes(x);
    if (!byDiagram) return largestTotal(sums, core);
    if (classes === 2) return evaluate(ofClass[1], core);
    return ofClass.findIndex((diagram) => evaluate(diagram, core) === 1);
  }

  /* One sum of floats a class, or one in all. */
  function scores(x) {
    const add = (a, b) => (b === null ? -Infinity : a + b);
    return chances.bias.map((bias, k) =>
      x.reduce((sum, code, j) => add(sum, chances.weights[k][chances.offset[j] + code]), add(0, bias)));
  }

  function probabilities(x) {
    if (!chances || chances.kind === "score") return null;
    if (chances.kind === "votes") {
      const sum = treeTotals(trees, x).map(Number);
      const total = sum.reduce((a, b) => a + b, 0);
      return sum.map((s) => (total > 0 ? s / total : 1 / classes));
    }
    let logs = chances.kind.startsWith("boosted") ? boostedLogs(trees, chances, x) : scores(x);
    if (chances.kind.endsWith("ovr")) logs = logs.map((s) => (s > 0 ? -Math.log1p(Math.exp(-s)) : s - Math.log1p(Math.exp(s))));
    const top = Math.max(...logs);
    const odds = logs.map((s) => Math.exp(s - top));
    const all = odds.reduce((a, b) => a + b, 0);
    return odds.map((o) => o / all);
  }

  const score = (x) => (chances && chances.kind === "score" ? scores(x)[0] : null);

  /* Two classes by sums: what the start and each fact add to the side of class 1; the decision is the sign of all
   * together. null for other models. */
  function contributions(x) {
    if (!chances || classes !== 2 || (chances.kind !== "softmax" && chances.kind !== "score")) return null;
    const least = (w) => (w === null ? -Infinity : w);
    const lead = (of) => (chances.kind === "score" ? least(of(0)) : least(of(1)) - least(of(0)));
    const odds = chances.kind === "score" ? 0 : Math.log(chances.cut / (1 - chances.cut));
    return {
      start: lead((k) => chances.bias[k]) - odds,
      facts: x.map((code, j) => lead((k) => chances.weights[k][chances.offset[j] + code])),
    };
  }

  /* The values that a feature may be told to take. */
  function valueOptions(x, locked) {
    return x.map((own, feature) => {
      if (locked && locked[feature]) return [];
      const codes = [];
      for (let code = 0; code < shape.values[feature].length; code++) {
        const way = direction[feature];
        if (code === own || (allowed[feature] && !allowed[feature].includes(code))) continue;
        if ((way & 1 && code < own) || (way & 2 && code > own)) continue;
        codes.push(code);
      }
      return codes;
    });
  }

  const unit = (feature, old, code) => {
    if (!cost) return 1;
    const given = cost[feature];
    return typeof given === "number" ? given : given[old][code];
  };

  /* How far a value is from the old one, as symcf/data/raw_row.py has it for codes: steps by all steps there are. */
  const move = (feature, old, code) => {
    const steps = shape.values[feature].length - 1;
    if (!ordered[feature]) return PARTS_OF_A_SPAN;
    return steps > PARTS_OF_A_SPAN ? Math.abs(code - old) : Math.floor((Math.abs(code - old) * PARTS_OF_A_SPAN) / steps);
  };

  /* The diagram and the sink that a goal is about; null where the page has none. */
  function goal(prediction, target) {
    const [k, sink] = classes === 2 ? [1, 1 - prediction] : target === null ? [prediction, 0] : [target, 1];
    if (within) return { diagram: diagrams[within[`${k},${sink}`]], sink: 1 };
    return ofClass[k] && { diagram: ofClass[k], sink };
  }

  /* The trees as an instance sees them, kept while its values are chosen. */
  let scene = null;
  const sceneOf = (x, options, prediction, target) => {
    if (!scene || scene.options !== options) scene = makeScene(trees, x, options, prediction, target);
    return scene;
  };

  function search(x, core, options, prediction, target, how) {
    const coreOptions = options.map((codes, j) =>
      [...new Set(codes.map((code) => coreOf(j, code)))].filter((code) => code !== core[j]));
    const found = new Found(features);
    const steps = new Steps(how.steps, how.milliseconds);
    const changeable = coreOptions.filter((codes) => codes.length).length;
    const allowedChanges = Math.min(changeable, shape.max_changes === null ? changeable : shape.max_changes);
    const most = byTrees ? Math.min(allowedChanges, MOST_CHANGES_OF_TREES) : allowedChanges;
    const bySums = sums && (classes === 2 || target === null) && !(how.diagram && byDiagram);
    const lines = bySums && rivalLines(sums, core, prediction).map((line) => [line, gains(line, sums, core, coreOptions)]);
    const reached = bySums || byTrees ? null : goal(prediction, target);
    const seen = byTrees && sceneOf(x, options, prediction, target);
    let more = true;
    let stopped = false;
    try {
      for (let size = 1; size <= most && more; size++) {
        more = false;
        if (byTrees) {
          more = treeSets(seen, size, found, steps);
        } else if (bySums) {
          const fresh = new Map();
          const collect = (set) => {
            if (lines.length === 1 || !found.sets.some((s) => s.every((j) => set.includes(j)))) fresh.set(set.join(), set);
          };
          try {
            for (const [line, gain] of lines) more = coverSets(line, gain, sums, size, collect, steps) || more;
          } finally {
            fresh.forEach((set) => found.add(set));
          }
        } else {
          more = diagramSets(reached.diagram, core, coreOptions, reached.sink, size, found, steps);
        }
        if (more && found.sets.length > how.limit) {
          stopped = size < allowedChanges;
          break;
        }
        if (size === most) stopped = more && most < allowedChanges;
      }
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      stopped = true;
    }
    return { sets: found.sets.sort(compareSets), complete: !stopped };
  }

  /* Values that do it: the cheapest, of these the nearest, of these the surest where the model adds up weights, of these
   * the smallest codes. */
  function bestCodes(x, core, set, options, prediction, target, moves) {
    const lists = set.map((j) => options[j]);
    if (byTrees) {
      const seen = sceneOf(x, options, prediction, target);
      const weigh = (j, code) => ({ price: unit(j, x[j], code), far: moves(j, code) ?? move(j, x[j], code) });
      return bestWithin(seen, set, new Steps(Infinity, Infinity), weigh);
    }
    const changed = (codes) => {
      const row = [...core];
      set.forEach((j, i) => (row[j] = coreOf(j, codes[i])));
      return row;
    };
    const reached = goal(prediction, target);
    const decided = (row) => {
      if (within || (!sums && reached)) return evaluate(reached.diagram, row) === reached.sink;
      const now = largestTotal(sums, row);
      return target === null ? now !== prediction : now === target;
    };
    const margin = (row) => {
      const lines = within ? margins : sums;
      if (!lines) return 0;
      const now = totals(lines, row);
      if (now.length === 1) return prediction === 0 ? now[0] : -now[0];
      const k = target === null ? prediction : target;
      const others = now.filter((_, r) => r !== k);
      const best = others.reduce((a, b) => (a > b ? a : b));
      return target === null ? best - now[k] : now[k] - best;
    };
    const price = (codes) => codes.reduce((sum, code, i) => sum + unit(set[i], x[set[i]], code), 0);
    const far = (codes) => codes.reduce((sum, code, i) => sum + (moves(set[i], code) ?? move(set[i], x[set[i]], code)), 0);
    const better = (a, b) => {
      if (a.price !== b.price) return a.price < b.price;
      return a.far === b.far ? a.margin > b.margin : a.far < b.far;
    };
    if (lists.every((list) => list.length === 1)) {
      const codes = lists.map((list) => list[0]);
      return { codes, price: price(codes) };
    }
    let best = null;
    let looked = 0;
    for (const codes of choices(lists)) {
      if (++looked > MOST_CHOICES && best) break;
      const row = changed(codes);
      if (!decided(row)) continue;
      const candidate = { codes, price: price(codes), far: far(codes), margin: margin(row) };
      if (!best || better(candidate, best)) best = candidate;
    }
    return best;
  }

  /* The ways to another decision (or to `target`), those with the fewest changes first; with costs, the cheapest of
   * those found first. `moves(feature, code)` says how far a value is, or null: by its place among the values. `complete` is false where the search was stopped or only `limit` are shown. */
  function changes(x, { locked = null, target = null, limit = 50, steps = 400000, milliseconds = Infinity, diagram = false, moves = () => null } = {}) {
    const prediction = predict(x);
    if (target === prediction) return { prediction, ways: [], complete: true, found: 0 };
    const core = coreCodes(x);
    const options = valueOptions(x, locked);
    const wanted = classes === 2 ? null : target;
    const { sets, complete } = search(x, core, options, prediction, wanted, { limit, steps, milliseconds, diagram });
    const all = !cost ? sets.slice(0, limit) : sets.slice(0, 4 * limit);
    const ways = all.map((set) => {
      const { codes, price } = bestCodes(x, core, set, options, prediction, wanted, moves);
      const row = [...x];
      set.forEach((j, i) => (row[j] = codes[i]));
      return { features: set, codes, price, row, decision: predict(row) };
    });
    if (cost) ways.sort((a, b) => a.price - b.price || compareSets(a.features, b.features));
    return { prediction, ways: ways.slice(0, limit), complete: complete && sets.length <= limit, found: sets.length };
  }

  /* Can the page find the ways to this class (null: any other)? */
  const canReach = (target) => {
    if (classifier.missing) return false;
    return classes === 2 || target === null ? Boolean(sums || byDiagram || byTrees) : byDiagram || byTrees;
  };

  return { predict, probabilities, score, contributions, changes, canReach, cut: chances ? chances.cut : null };
}
