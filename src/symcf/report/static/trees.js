/* Trees that vote, in the page: the decision, and all minimal sets of up to three changes. Follows engine.js's words.
 *
 * A leaf is *away* in a feature if the instance's value does not lead to it: reaching it takes a change there. With only
 * some features free, a tree can reach exactly the leaves that are away in these at most. So the best such leaves say
 * what a set can gain at most; where that is enough, values are searched that reach them together: branch and bound
 * over the leaves, tree by tree (as src/core/ensemble*.c). Scores are integers of up to 61 bits. Bounds are taken in
 * floats, with room for their rounding; what is found is decided by the integers. */

const MOST_CHANGES_OF_TREES = 3;

function makeTrees(written, classes) {
  const big = written.big ? BigInt : Number;
  const [feature, left, right, cut, set, scoreOf] = ["feature", "left", "right", "cut", "set", "score_of"].map((part) => unpacked(written[part]));
  return {
    classes,
    roots: written.roots,
    feature, // 0: a leaf; otherwise one more than the feature
    left,
    right,
    cut, // codes below it go left ...
    set, // ... or, if not 0, those in this set
    sets: written.sets.map((codes) => codes && Uint8Array.from(codes)),
    scoreOf,
    scores: written.scores.map((line) => line.map(big)),
    approximate: written.scores.map((line) => line.map(Number)),
    zero: big(0),
    laterWins: written.later_wins,
  };
}

const goesLeft = (trees, node, code) => (trees.set[node] ? trees.sets[trees.set[node]][code] === 1 : code < trees.cut[node]);

function leafOf(trees, root, x) {
  let node = root;
  while (trees.feature[node]) node = goesLeft(trees, node, x[trees.feature[node] - 1]) ? trees.left[node] : trees.right[node];
  return node;
}

/* By class, the sum of the scores at the leaves that an instance reaches. */
function treeTotals(trees, x) {
  const sum = new Array(trees.classes).fill(trees.zero);
  for (const root of trees.roots) trees.scores[trees.scoreOf[leafOf(trees, root, x)]].forEach((score, k) => (sum[k] += score));
  return sum;
}

/* Logarithms of the odds of boosted trees, up to what all classes have in common. */
function boostedLogs(trees, chances, x) {
  const sum = treeTotals(trees, x).map((score) => Number(score) * 2 ** -chances.scale);
  return sum.length === 2 ? [0, chances.slope * (sum[1] - sum[0])] : sum.map((score) => chances.slope * score);
}

function largestVote(trees, x) {
  const sum = treeTotals(trees, x);
  let best = 0;
  for (let k = 1; k < sum.length; k++) if (sum[k] > sum[best] || (sum[k] === sum[best] && trees.laterWins)) best = k;
  return best;
}

/* --- one instance ------------------------------------------------------------------------------------------------ */

/* Which class must lead which; `all` of these, or any. */
function leadsOf(classes, prediction, target) {
  const others = (k) => [...Array(classes).keys()].filter((other) => other !== k);
  if (target === null) return { all: false, pairs: others(prediction).map((k) => [k, prediction]) };
  return { all: true, pairs: others(target).map((k) => [target, k]) };
}

/* The leaves of a tree that few changes can reach: what they are away in, and by feature the values that lead there. */
function reachable(trees, root, x, options, tree, lead) {
  const leaves = [];
  const ways = new Map();
  const go = (node, away) => {
    if (away.length > MOST_CHANGES_OF_TREES) return;
    if (!trees.feature[node]) {
      const codes = new Map([...ways].map(([j, list]) => [j, new Set(list)]));
      leaves.push({ tree, away: [...away].sort((a, b) => a - b), codes, lead: lead(trees.scoreOf[node]) });
      return;
    }
    const j = trees.feature[node] - 1;
    const before = ways.get(j);
    const now = before || [x[j], ...options[j]]; // the own value, if it is there, comes first
    for (const side of [true, false]) {
      const kept = now.filter((code) => goesLeft(trees, node, code) === side);
      if (!kept.length) continue;
      ways.set(j, kept);
      go(side ? trees.left[node] : trees.right[node], kept[0] === x[j] || away.includes(j) ? away : [...away, j]);
    }
    if (before) ways.set(j, before);
    else ways.delete(j);
  };
  go(root, []);
  return leaves;
}

/* Everything that the sets of an instance have in common. */
function makeScene(trees, x, options, prediction, target) {
  const { all, pairs } = leadsOf(trees.classes, prediction, target);
  const lead = (row) => pairs.map(([a, b]) => trees.approximate[row][a] - trees.approximate[row][b]);
  const home = trees.roots.map((root) => lead(trees.scoreOf[leafOf(trees, root, x)]));
  const buckets = new Map();
  const active = new Set();
  let size = 0;
  trees.roots.forEach((root, tree) => {
    let most = 0;
    for (const leaf of reachable(trees, root, x, options, tree, lead)) {
      most = Math.max(most, ...leaf.lead.map(Math.abs));
      const key = leaf.away.join();
      if (!buckets.has(key)) buckets.set(key, []);
      buckets.get(key).push(leaf);
      leaf.away.forEach((j) => active.add(j));
    }
    size += most;
  });
  const decided = (row) => {
    const now = largestVote(trees, row);
    return target === null ? now !== prediction : now === target;
  };
  return { trees, x, options, all, columns: pairs.length, home, buckets, active: [...active].sort((a, b) => a - b), slack: size * 2 ** -40, decided };
}

/* --- sets ---------------------------------------------------------------------------------------------------------- */

/* The buckets of all sets within `features` that have the last of them. */
function* bucketsWith(scene, features) {
  const last = features.length - 1;
  for (let with_ = 0; with_ < 1 << last; with_++) {
    const key = features.filter((_, i) => i === last || (with_ >> i) & 1).join();
    if (scene.buckets.has(key)) yield scene.buckets.get(key);
  }
}

/* All sets of exactly `size` features that flip the decision and contain none that was found before. */
function treeSets(scene, size, found, steps) {
  const { active, columns, home, slack } = scene;
  const best = home.map((lead) => [...lead]);
  const sum = Array.from({ length: columns }, (_, c) => home.reduce((total, lead) => total + lead[c], 0));
  const fresh = [];
  const features = [];
  const enough = () => (scene.all ? sum.every((s) => s >= -slack) : sum.some((s) => s >= -slack));

  const take = (undo) => {
    for (const bucket of bucketsWith(scene, features)) {
      steps.take(bucket.length);
      for (const { tree, lead } of bucket)
        lead.forEach((value, c) => {
          if (value <= best[tree][c]) return;
          undo.push([tree, c, best[tree][c]]);
          sum[c] += value - best[tree][c];
          best[tree][c] = value;
        });
    }
  };
  const go = (from) => {
    for (let i = from; i <= active.length - (size - features.length); i++) {
      steps.take(1);
      found.chosen[active[i]] = 1;
      if (!found.completedBy(active[i])) {
        features.push(active[i]);
        const before = [...sum];
        const undo = [];
        take(undo);
        if (features.length < size) go(i + 1);
        else if (enough() && bestWithin(scene, features, steps)) fresh.push([...features]);
        while (undo.length) {
          const [tree, c, value] = undo.pop();
          best[tree][c] = value;
        }
        before.forEach((value, c) => (sum[c] = value));
        features.pop();
      }
      found.chosen[active[i]] = 0;
    }
  };
  found.chosen.fill(0);
  try {
    go(0);
  } finally {
    fresh.forEach((set) => found.add(set));
  }
  return active.length > size;
}

/* --- values --------------------------------------------------------------------------------------------------------- */

/* Codes of the features, all of them changed, that flip the decision, or null. Any; or, where `weigh(feature, code)` gives
 * the price of a value and how far it is, the cheapest, of these the nearest, of these the smallest. */
function bestWithin(scene, features, steps, weigh = null) {
  const { home, columns, slack, x } = scene;
  const groups = new Map();
  for (let last = 1; last <= features.length; last++)
    for (const bucket of bucketsWith(scene, features.slice(0, last)))
      for (const leaf of bucket) groups.set(leaf.tree, [...(groups.get(leaf.tree) || []), leaf]);
  for (const leaf of scene.buckets.get("") || []) if (groups.has(leaf.tree)) groups.get(leaf.tree).push(leaf);
  const base = Array(columns).fill(0);
  home.forEach((lead, tree) => { if (!groups.has(tree)) lead.forEach((value, c) => (base[c] += value)); });
  const least = (lists) => {
    const total = { price: 0, far: 0, codes: [] };
    lists.forEach((codes, i) => {
      let best = null;
      for (const code of codes) {
        const { price, far } = weigh(features[i], code);
        if (!best || price < best.price || (price === best.price && (far < best.far || (far === best.far && code < best.code)))) best = { price, far, code };
      }
      total.price += best.price;
      total.far += best.far;
      total.codes.push(best.code);
    });
    return total;
  };
  const before = (a, b) => (a.price !== b.price ? a.price < b.price : a.far !== b.far ? a.far < b.far : compareSets(a.codes, b.codes) < 0);
  let found = null;

  const meets = (leaf, lists) => features.every((j, i) => {
    const codes = leaf.codes.get(j);
    return !codes || lists[i].some((code) => codes.has(code));
  });
  const narrowed = (leaf, lists) => lists.map((list, i) => {
    const codes = leaf.codes.get(features[i]);
    return codes ? list.filter((code) => codes.has(code)) : list;
  });
  /* A box of which every row is decided alike. */
  const keep = (lists) => {
    if (lists.some((list) => !list.length)) return false;
    const row = [...x];
    features.forEach((j, i) => (row[j] = lists[i][0]));
    if (!scene.decided(row)) return false;
    const point = weigh ? least(lists) : { codes: lists.map((list) => list[0]) };
    if (!found || before(point, found)) found = point;
    return true;
  };
  const reaches = (leads) => (scene.all ? (test) => leads.every(test) : (test) => leads.some(test));

  /* In a box, a list of codes for each feature; `open` are the leaves that meet it, by tree. Returns whether the search
   * may end. */
  const go = (lists, open) => {
    steps.take(open.reduce((sum, leaves) => sum + leaves.length, 0));
    if (weigh && found && !before(least(lists), found)) return false;
    const most = [...base];
    const fewest = [...base];
    for (const leaves of open)
      for (let c = 0; c < columns; c++) {
        most[c] += Math.max(...leaves.map((leaf) => leaf.lead[c]));
        fewest[c] += Math.min(...leaves.map((leaf) => leaf.lead[c]));
      }
    if (!reaches(most)((lead) => lead >= -slack)) return false;
    if (reaches(fewest)((lead) => lead > slack)) return keep(lists) && !weigh;
    const tight = most.indexOf(scene.all ? Math.min(...most) : Math.max(...most));
    let widest = null;
    let width = -1;
    for (const leaves of open) {
      const values = leaves.map((leaf) => leaf.lead[tight]);
      const span = leaves.length === 1 ? -1 : Math.max(...values) - Math.min(...values);
      if (span > width) [widest, width] = [leaves, span];
    }
    if (!widest) return keep(open.reduce((less, [leaf]) => narrowed(leaf, less), lists)) && !weigh;
    for (const leaf of [...widest].sort((a, b) => b.lead[tight] - a.lead[tight])) {
      const less = narrowed(leaf, lists);
      if (less.some((list) => !list.length)) continue;
      const others = open.map((leaves) => (leaves === widest ? [leaf] : leaves.filter((other) => meets(other, less))));
      if (go(less, others)) return true;
    }
    return false;
  };
  go(features.map((j) => scene.options[j]), [...groups.values()]);
  return found;
}
