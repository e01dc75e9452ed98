/* Is a certificate true? The second checker, written from docs/certificate-format.md and without dependencies.
 *
 *   checkCertificate(text) -> { failed, problem, number, fingerprint, proved, within }
 *
 * `failed` is null if the certificate is true, else the name of the test that it failed. Integers are BigInt, numbers of
 * rows and questions are doubles, and what is computed with them is a fraction: nothing is rounded but what the rule
 * itself rounds. Sets of features, values and clauses are BigInt masks. */

"use strict";

const checkCertificate = (() => {
  const MOST_STEPS = 2 ** 31;
  const MOST_NAMES = 1 << 16;
  const MOST_GRIDS = 8;
  const MOST_WAITING = 1 << 22;
  const MOST_KEPT = 1 << 17;
  const DEEPEST = 64;
  const MOST_BITS = 512;

  class Rejected extends Error {
    constructor(failed, problem) {
      super(problem);
      this.failed = failed;
    }
  }

  const reject = (failed, problem) => {
    throw new Rejected(failed, problem);
  };

  // --- text -----------------------------------------------------------------------------------------------------------

  /* JSON. Integers become BigInt, also those written as 1.0 or 1e3; other numbers doubles. A key that comes twice is an
   * error, as is everything that standard JSON does not have. */
  function parse(text) {
    const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
    let at = 0;
    const fail = () => reject("text", "it is not JSON");
    const space = () => {
      while (at < text.length && " \t\n\r".includes(text[at])) at++;
    };
    function string() {
      // by hand and not by one expression, which would overflow on long strings
      let out = "";
      at++;
      for (;;) {
        let end = at;
        while (end < text.length && text[end] !== '"' && text[end] !== "\\" && text.charCodeAt(end) >= 32) end++;
        out += text.slice(at, end);
        at = end;
        if (at >= text.length || text.charCodeAt(at) < 32) fail();
        if (text[at] === '"') {
          at++;
          return out;
        }
        const letter = text[at + 1];
        if (letter === "u") {
          const digits = text.slice(at + 2, at + 6);
          if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail();
          out += String.fromCharCode(parseInt(digits, 16));
          at += 6;
        } else {
          const meant = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }[letter];
          if (meant === undefined) fail();
          out += meant;
          at += 2;
        }
      }
    }
    function number() {
      NUMBER.lastIndex = at;
      const match = NUMBER.exec(text);
      if (match === null) fail();
      at = NUMBER.lastIndex;
      let value;
      if (match[1] === undefined && match[2] === undefined) {
        if (match[0].length > 200) reject("text", "an integer is too long");
        value = BigInt(match[0]);
      } else {
        const double = Number(match[0]);
        if (!Number.isFinite(double)) reject("text", "a number is too large");
        value = Number.isInteger(double) ? BigInt(double) : double;
      }
      if (typeof value === "bigint" && bitLength(value < 0n ? -value : value) > MOST_BITS) {
        reject("text", "an integer is too long");
      }
      return value;
    }
    function value(depth) {
      space();
      const letter = text[at];
      if (letter === '"') return string();
      if (depth > DEEPEST) reject("text", `it is nested more than ${DEEPEST} deep`);
      if (letter === "{" || letter === "[") {
        const isObject = letter === "{";
        const found = isObject ? new Map() : [];
        at++;
        space();
        if (text[at] === (isObject ? "}" : "]")) {
          at++;
          return found;
        }
        for (;;) {
          if (isObject) {
            space();
            if (text[at] !== '"') fail();
            const key = string();
            space();
            if (text[at++] !== ":") fail();
            if (found.has(key)) reject("text", "a key comes twice in one object");
            found.set(key, value(depth + 1));
          } else found.push(value(depth + 1));
          space();
          const next = text[at++];
          if (next === (isObject ? "}" : "]")) return found;
          if (next !== ",") fail();
        }
      }
      for (const [word, meant] of [["true", true], ["false", false], ["null", null]]) {
        if (text.startsWith(word, at)) {
          at += word.length;
          return meant;
        }
      }
      return number();
    }
    const data = value(1);
    space();
    if (at !== text.length) fail();
    if (!(data instanceof Map)) reject("text", "it is not an object");
    return data;
  }

  /* A double in the fewest digits that give it back, as Python writes it. */
  function doubleText(x) {
    const [digits, power] = x.toExponential().split("e");
    const exponent = Number(power);
    const sign = digits.startsWith("-") ? "-" : "";
    const plain = digits.replace("-", "").replace(".", "");
    if (exponent < -4 || exponent >= 16) {
      const size = String(Math.abs(exponent)).padStart(2, "0");
      return `${sign}${plain[0]}${plain.length > 1 ? "." + plain.slice(1) : ""}e${exponent < 0 ? "-" : "+"}${size}`;
    }
    if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${plain}`;
    if (plain.length <= exponent + 1) return `${sign}${plain}${"0".repeat(exponent + 1 - plain.length)}.0`;
    return `${sign}${plain.slice(0, exponent + 1)}.${plain.slice(exponent + 1)}`;
  }

  function stringText(text) {
    const named = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
    return `"${text.replace(
      /["\\\u0000-\u001f\u007f-\uffff]/g,
      (c) => named[c] ?? (c === "\u007f" ? c : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")),
    )}"`;
  }

  /* The form that numbers and fingerprints are made of. */
  function canonical(data, without = null) {
    if (data === null) return "null";
    if (typeof data === "boolean") return data ? "true" : "false";
    if (typeof data === "bigint") return data.toString();
    if (typeof data === "number") return doubleText(data);
    if (typeof data === "string") return stringText(data);
    if (Array.isArray(data)) return `[${data.map((part) => canonical(part)).join(",")}]`;
    const keys = [...data.keys()].filter((key) => key !== without).sort(byCodePoint);
    return `{${keys.map((key) => `${stringText(key)}:${canonical(data.get(key))}`).join(",")}}`;
  }

  const byCodePoint = (a, b) => {
    const [one, two] = [Array.from(a, (c) => c.codePointAt(0)), Array.from(b, (c) => c.codePointAt(0))];
    for (let i = 0; i < Math.min(one.length, two.length); i++) if (one[i] !== two[i]) return one[i] - two[i];
    return one.length - two.length;
  };

  /* SHA-256 of ASCII text, as bytes. */
  function sha256(text) {
    const constants = [];
    const hash = [];
    const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
    for (let n = 2; constants.length < 64; n++) {
      let prime = true;
      for (let d = 2; d * d <= n; d++) prime = prime && n % d !== 0;
      if (!prime) continue;
      if (hash.length < 8) hash.push(fraction(Math.sqrt(n)));
      constants.push(fraction(Math.cbrt(n)));
    }
    const bytes = new Uint8Array((((text.length + 8) >> 6) + 1) << 6);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    bytes[text.length] = 128;
    const view = new DataView(bytes.buffer);
    view.setUint32(bytes.length - 8, Math.floor((text.length * 8) / 2 ** 32));
    view.setUint32(bytes.length - 4, (text.length * 8) >>> 0);
    const w = new Int32Array(64);
    const turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let start = 0; start < bytes.length; start += 64) {
      for (let i = 0; i < 16; i++) w[i] = view.getInt32(start + 4 * i);
      for (let i = 16; i < 64; i++) {
        const [a, b] = [w[i - 15], w[i - 2]];
        const [s, t] = [turn(a, 7) ^ turn(a, 18) ^ (a >>> 3), turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)];
        w[i] = (w[i - 16] + s + w[i - 7] + t) | 0;
      }
      let [a, b, c, d, e, f, g, h] = hash;
      for (let i = 0; i < 64; i++) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((x, i) => (hash[i] = (hash[i] + x) | 0));
    }
    return hash.flatMap((x) => [24, 16, 8, 0].map((shift) => (x >>> shift) & 255));
  }

  function numberOf(data) {
    let bits = 0n;
    for (const byte of sha256(canonical(data, "number")).slice(0, 10)) bits = (bits << 8n) | BigInt(byte);
    const letters = Array.from({ length: 16 }, (_, i) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number((bits >> BigInt(75 - 5 * i)) & 31n)]);
    return letters.join("").match(/.{4}/g).join("-");
  }

  const digest = (text) => sha256(text).map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const fingerprintOf = (model) => "sha256:" + digest(canonical(model, "fingerprint"));

  // --- what is expected where -----------------------------------------------------------------------------------------

  function record(data, where, keys) {
    if (!(data instanceof Map) || data.size !== keys.length || !keys.every((key) => data.has(key))) {
      reject("form", `${where} must be an object with the keys ${keys.join(", ")}`);
    }
    return keys.map((key) => data.get(key));
  }

  function integer(data, where, least = null, end = null) {
    if (typeof data !== "bigint" || (least !== null && data < least) || (end !== null && data >= end)) {
      reject("form", `${where} is not an integer that may stand there`);
    }
    return data;
  }

  const small = (data, where, least, end) => Number(integer(data, where, BigInt(least), BigInt(end)));

  /* A count, however large: a BigInt if it is no exact double. The two compare exactly. */
  function countOf(data, where, least) {
    const found = integer(data, where, BigInt(least));
    return found < bit(50) ? Number(found) : found;
  }

  function items(data, where, each, count = null) {
    if (!Array.isArray(data) || (count !== null && data.length !== count)) reject("form", `${where} must be a list`);
    return data.map((part) => each(part, where));
  }

  const same = (part) => part;

  function indices(data, where, end) {
    let last = -1;
    return items(data, where, (part) => {
      last = small(part, where, last + 1, end);
      return last;
    });
  }

  const textOf = (data, where) => (typeof data === "string" ? data : reject("form", `${where} must be text`));

  class Effort {
    constructor(most) {
      this.left = most;
    }

    spend(steps) {
      this.left -= steps;
      if (this.left < 0) reject("effort", "too large to check");
    }
  }

  // --- numbers --------------------------------------------------------------------------------------------------------

  const abs = (x) => (x < 0n ? -x : x);
  const bitLength = (x) => (x === 0n ? 0 : x.toString(16).length * 4 - Math.clz32(parseInt(x.toString(16)[0], 16)) + 28);
  const bit = (j) => 1n << BigInt(j);
  const floorDivide = (a, b) => (a % b !== 0n && a < 0n !== b < 0n ? a / b - 1n : a / b);

  function gcd(a, b) {
    while (b) [a, b] = [b, a % b];
    return a;
  }

  /* Exact fractions. */
  class Fraction {
    constructor(over, under = 1n) {
      const divisor = gcd(abs(over), abs(under)) * (under < 0n ? -1n : 1n);
      this.over = over / divisor;
      this.under = under / divisor;
    }

    static of(number) {
      if (typeof number === "bigint") return new Fraction(number);
      const [digits, exponent] = digitsOf(number);
      return exponent >= 0 ? new Fraction(digits << BigInt(exponent)) : new Fraction(digits, 1n << BigInt(-exponent));
    }

    static fromText(text) {
      const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
      const digits = BigInt((match[2] || "0") + (match[3] ?? "")) * (match[1] === "-" ? -1n : 1n);
      const power = Number(match[4] ?? 0) - (match[3] ?? "").length;
      return power >= 0 ? new Fraction(digits * 10n ** BigInt(power)) : new Fraction(digits, 10n ** BigInt(-power));
    }

    plus(other) {
      return new Fraction(this.over * other.under + other.over * this.under, this.under * other.under);
    }

    minus(other) {
      return this.plus(other.negated());
    }

    times(other) {
      return new Fraction(this.over * other.over, this.under * other.under);
    }

    by(other) {
      return new Fraction(this.over * other.under, this.under * other.over);
    }

    negated() {
      return new Fraction(-this.over, this.under);
    }

    get size() {
      return new Fraction(abs(this.over), this.under);
    }

    /* -1, 0 or 1. */
    compare(other) {
      const difference = this.over * other.under - other.over * this.under;
      return difference < 0n ? -1 : difference > 0n ? 1 : 0;
    }

    get sign() {
      return this.over < 0n ? -1 : this.over > 0n ? 1 : 0;
    }

    get isWhole() {
      return this.under === 1n;
    }

    floor() {
      return floorDivide(this.over, this.under);
    }

    ceil() {
      return -floorDivide(-this.over, this.under);
    }

    /* The nearest double; of two the even one. */
    toDouble() {
      if (this.over === 0n) return 0;
      const size = abs(this.over);
      let shift = bitLength(size) - bitLength(this.under) - 54;
      let scaled = shift > 0 ? size / (this.under << BigInt(shift)) : (size << BigInt(-shift)) / this.under;
      while (bitLength(scaled) > 54) {
        shift++;
        scaled = shift > 0 ? size / (this.under << BigInt(shift)) : (size << BigInt(-shift)) / this.under;
      }
      const exact = shift > 0 ? scaled * (this.under << BigInt(shift)) === size : scaled * this.under === size << BigInt(-shift);
      const odd = bitLength(scaled) === 54;
      if (odd) {
        const half = scaled & 1n;
        scaled >>= 1n;
        if (half && (!exact || scaled & 1n)) scaled += 1n;
        shift++;
      }
      const value = Number(scaled) * 2 ** shift;
      return this.over < 0n ? -value : value;
    }
  }

  const ZERO_FRACTION = new Fraction(0n);
  const ONE = new Fraction(1n);

  const buffer = new DataView(new ArrayBuffer(8));
  const bitsOf = (x) => (buffer.setFloat64(0, x), buffer.getBigInt64(0));
  const ofBits = (bits) => (buffer.setBigInt64(0, bits), buffer.getFloat64(0));

  /* An integer and an exponent of two, whose product is the number. */
  function digitsOf(x) {
    const bits = bitsOf(Math.abs(x));
    const exponent = Number(bits >> 52n);
    let digits = bits & ((1n << 52n) - 1n);
    if (exponent) digits |= 1n << 52n;
    let power = (exponent || 1) - 1075;
    while (digits && !(digits & 1n)) {
      digits >>= 1n;
      power++;
    }
    return [x < 0 ? -digits : digits, digits ? power : 0];
  }

  function nextAfter(x, towards) {
    if (x === towards || !Number.isFinite(x)) {
      if (x === towards) return x;
      return x > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE;
    }
    if (x === 0) return towards > 0 ? ofBits(1n) : -ofBits(1n);
    const grows = towards > x === x > 0;
    const size = ofBits(bitsOf(Math.abs(x)) + (grows ? 1n : -1n));
    return x < 0 ? -size : size;
  }

  const isNumber = (data) => typeof data === "bigint" || typeof data === "number";

  function numberFrom(data) {
    if (!isNumber(data)) reject("form", "it is not a number");
    const double = Number(data);
    if (!Number.isFinite(double) || (typeof data === "bigint" && BigInt(double) !== data)) {
      reject("form", "it is not a number of 64 bits");
    }
    return double;
  }

  const ZERO = 1n << 62n;
  const SMALLEST = 513n << 52n;
  const LARGEST = (1536n << 52n) - 1n;
  const MISSING = (1n << 63n) - 2n;

  function numberOfCode(code) {
    const steps = code - ZERO;
    const bits = steps ? abs(steps) + SMALLEST - 1n : 0n;
    if (bits > LARGEST) reject("form", "it is not the code of a number");
    return steps < 0n ? -ofBits(bits) : ofBits(bits);
  }

  function codeOfNumber(number) {
    const bits = bitsOf(Math.abs(number));
    if (bits && (bits < SMALLEST || bits > LARGEST)) reject("form", "a number is too small or too large for a line");
    const steps = bits ? bits - (SMALLEST - 1n) : 0n;
    return number < 0 ? ZERO - steps : ZERO + steps;
  }

  // --- domains --------------------------------------------------------------------------------------------------------

  function labelOf(data, where) {
    if (data instanceof Map) record(data, where, ["type", "text"]).forEach((part) => textOf(part, where));
    else if (Array.isArray(data)) reject("form", `${where}: a list is not a label`);
    return data;
  }

  function labelText(label) {
    if (label instanceof Map) return label.get("text");
    if (label === null) return "None";
    if (label === true) return "True";
    if (label === false) return "False";
    return typeof label === "number" ? doubleText(label) : String(label);
  }

  const labelWords = (label) => (label instanceof Map ? `${label.get("type")} ${label.get("text")}` : labelText(label));

  class Domain {
    constructor(data) {
      this.labels = [];
      this.cuts = null;
      this.line = null;
      let apart = [];
      if (Array.isArray(data)) this.labels = items(data, "values", labelOf);
      else if (data instanceof Map && data.has("low")) {
        this.line = record(data, "a line", ["low", "high"]).map(numberFrom);
      } else if (data instanceof Map && data.has("cuts")) {
        const [cuts, labels] = record(data, "cells", ["cuts", "labels"]);
        this.cuts = items(cuts, "cuts", numberFrom);
        if (this.cuts.some((cut, i) => i && this.cuts[i - 1] >= cut)) reject("form", "cuts must ascend");
        this.labels = apart = items(labels, "labels", labelOf);
      } else {
        const [labels, others] = record(data, "values", ["labels", "apart"]);
        this.labels = items(labels, "labels", labelOf);
        apart = items(others, "labels", labelOf);
      }
      this.cells = this.cuts === null ? 0 : this.cuts.length + 1;
      this.codes = new Map(this.labels.map((label, i) => [canonical(label), this.cells + i]));
      if (this.codes.size < this.labels.length) reject("form", "a label comes twice");
      this.size = this.line === null ? this.cells + this.labels.length : null;
      this.hasNumbers = this.line !== null || this.cuts !== null;
      this.apart = new Set(apart.map((label) => this.codes.get(canonical(label))).filter((code) => code !== undefined));
    }

    /* The code of a number or a label; a BigInt for a line. */
    codeOf(value, where) {
      if (this.line !== null) return value === null ? MISSING : codeOfNumber(numberFrom(value));
      if (this.cuts !== null && isNumber(value)) {
        const number = numberFrom(value);
        let [low, high] = [0, this.cuts.length];
        while (low < high) {
          const middle = (low + high) >> 1;
          if (this.cuts[middle] <= number) low = middle + 1;
          else high = middle;
        }
        return low;
      }
      const code = this.codes.get(canonical(labelOf(value, where)));
      return code === undefined ? reject("form", `${where}: not a value of the feature`) : code;
    }

    numberOf(value) {
      return isNumber(value) ? numberFrom(value) : null;
    }

    interval(code) {
      if (code >= this.cells) {
        const found = this.numberOf(this.labels[code - this.cells]);
        return found === null || this.cuts !== null ? null : [found, found];
      }
      return [
        code ? this.cuts[code - 1] : -Infinity,
        code < this.cuts.length ? nextAfter(this.cuts[code], -Infinity) : Infinity,
      ];
    }

    knownAs(value) {
      const exact = (label) => {
        if (isNumber(value)) {
          const number = typeof label === "boolean" ? BigInt(label) : label;
          return isNumber(number) && Fraction.of(number).compare(Fraction.of(value)) === 0;
        }
        return !(label instanceof Map) && label === value;
      };
      const places = (fits) => this.labels.flatMap((label, i) => (fits(label) ? [this.cells + i] : []));
      const found = places(exact);
      return found.length ? found : places((label) => labelText(label) === labelText(value));
    }
  }

  const meet = (one, two) =>
    one
      .flatMap(([a, b]) => two.map(([c, d]) => [Math.max(a, c), Math.min(b, d)]))
      .filter(([low, high]) => low <= high);

  /* The same numbers in ranges that have none in common, in their order. */
  function disjoint(ranges) {
    const found = [];
    for (const [low, high] of [...ranges].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
      const last = found[found.length - 1];
      if (last && low <= last[1]) last[1] = Math.max(last[1], high);
      else found.push([low, high]);
    }
    return found;
  }

  function onGrid([low, high], [origin, step]) {
    const nearest = (end, round) =>
      origin.plus(new Fraction(Fraction.of(end).minus(origin).by(step)[round]()).times(step));
    const first = Number.isFinite(low) ? nearest(low, "ceil") : null;
    const last = Number.isFinite(high) ? nearest(high, "floor") : null;
    if (first !== null && last !== null && first.compare(last) > 0) return null;
    return [
      first === null ? low : Math.max(low, first.toDouble()),
      last === null ? high : Math.min(high, last.toDouble()),
    ];
  }

  // --- relations ------------------------------------------------------------------------------------------------------

  const ALWAYS = { kind: "and", parts: [] };
  const NEVER = { kind: "or", parts: [] };
  const MIRRORED = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!=" };
  const OPPOSITE = { "<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "=" };
  const SIGNS = ["+", "-", "*", "/"];
  const COMPARE = { "<": (c) => c < 0, "<=": (c) => c <= 0, ">": (c) => c > 0, ">=": (c) => c >= 0 };
  const NUMBER_WORD = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?$/;

  function joined(kind, parts) {
    const [deciding, idle] = kind === "and" ? [NEVER, ALWAYS] : [ALWAYS, NEVER];
    if (parts.some((part) => part === deciding)) return deciding;
    const left = parts.filter((part) => part !== idle);
    return left.length === 1 ? left[0] : left.length ? { kind, parts: left } : kind === "and" ? ALWAYS : NEVER;
  }

  /* A form is a map from features to coefficients, and a constant. */
  const scaled = (form, factor) => ({
    terms: factor.sign ? new Map([...form.terms].map(([j, c]) => [j, c.times(factor)])) : new Map(),
    constant: form.constant.times(factor),
  });

  function plus(one, two) {
    const terms = new Map(one.terms);
    for (const [j, c] of two.terms) terms.set(j, (terms.get(j) ?? ZERO_FRACTION).plus(c));
    for (const [j, c] of [...terms]) if (!c.sign) terms.delete(j);
    return { terms, constant: one.constant.plus(two.constant) };
  }

  function times(one, two) {
    if (one.terms.size && two.terms.size) reject("form", "a relation multiplies two columns");
    return one.terms.size ? scaled(one, two.constant) : scaled(two, one.constant);
  }

  const constant = (number) => ({ terms: new Map(), constant: number });
  const sameForm = (a, b) =>
    a.terms.size === b.terms.size &&
    a.constant.compare(b.constant) === 0 &&
    [...a.terms].every(([j, c]) => b.terms.has(j) && b.terms.get(j).compare(c) === 0);

  function rowAtom(terms, most, strict) {
    if (!terms.size) return most.sign > 0 || (most.sign === 0 && !strict) ? ALWAYS : NEVER;
    const sorted = [...terms].sort((a, b) => a[0] - b[0]);
    const key = `${sorted.map(([j, c]) => `${j}*${c.over}/${c.under}`).join("+")}<${most.over}/${most.under}${strict}`;
    return { kind: "row", terms: sorted, most, strict, key };
  }

  class Missing extends Error {}
  class DividedByZero extends Error {}

  /* Reads a relation. A meaning is a function: of true, the formula; of false, that of the opposite. */
  class Reader {
    constructor(text, old) {
      this.text = text;
      this.old = old;
      this.tokens = this.split();
      this.at = 0;
      this.depth = 0;
    }

    fault() {
      return new Rejected("form", `the relation ${this.text} cannot be read`);
    }

    split() {
      const TOKEN =
        /\s*(?:(->|==|!=|<=|>=|[=<>(){},])|(old\.|change\.)?(['"`])((?:\\[\s\S]|(?!\3)[^\\])*)\3|(\*|(?:(?!->)[^\s(){},'"`=!<>*])+))/y;
      const found = [];
      const end = this.text.trimEnd().length;
      let at = 0;
      while (at < end) {
        TOKEN.lastIndex = at;
        const match = TOKEN.exec(this.text);
        if (match === null) throw this.fault();
        if (match[1] !== undefined) found.push({ kind: "sign", text: match[1] });
        else if (match[3] !== undefined) {
          found.push({ kind: "quoted", text: (match[2] ?? "") + match[4].replace(/\\([\\'"`])/g, "$1") });
        } else found.push({ kind: "word", text: match[5] });
        at = TOKEN.lastIndex;
      }
      return [...found, { kind: "end", text: "" }];
    }

    whole() {
      if (this.is("word", "step") && this.is("sign", "(", 1)) return this.step();
      const meaning = this.implication();
      if (this.next().kind !== "end") throw this.fault();
      return meaning(true);
    }

    next(ahead = 0) {
      return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)];
    }

    is(kind, text, ahead = 0) {
      return this.next(ahead).kind === kind && this.next(ahead).text === text;
    }

    skip(...texts) {
      const token = this.next();
      if (token.kind === "quoted" || token.kind === "end" || !texts.includes(token.text)) return null;
      this.at++;
      return token.text;
    }

    need(text) {
      if (this.skip(text) === null) throw this.fault();
    }

    take() {
      const token = this.next();
      if (token.kind !== "word" && token.kind !== "quoted") throw this.fault();
      this.at++;
      return token;
    }

    deeper() {
      if (++this.depth > 100) reject("form", "a relation is nested too deeply");
    }

    implication() {
      this.deeper();
      const left = this.any();
      if (this.skip("->") === null) {
        this.depth--;
        return left;
      }
      const right = this.implication();
      this.depth--;
      return (holds) => joined(holds ? "or" : "and", [left(!holds), right(holds)]);
    }

    any() {
      return this.several("or", "and", () => this.several("and", "or", () => this.unit()));
    }

    several(word, other, part) {
      const parts = [part()];
      while (this.skip(word) !== null) parts.push(part());
      return parts.length === 1
        ? parts[0]
        : (holds) =>
            joined(
              holds ? word : other,
              parts.map((p) => p(holds)),
            );
    }

    unit() {
      if (this.skip("not") !== null) {
        this.deeper();
        const inner = this.unit();
        this.depth--;
        return (holds) => inner(!holds);
      }
      if (this.is("word", "at_most") && this.is("sign", "(", 1)) return this.atMost();
      if (this.is("sign", "(")) {
        const [at, depth] = [this.at, this.depth];
        try {
          this.need("(");
          const inner = this.implication();
          this.need(")");
          const after = this.next();
          if (after.kind !== "quoted" && (after.text in MIRRORED || after.text === "==" || SIGNS.includes(after.text))) {
            throw this.fault();
          }
          return inner;
        } catch (error) {
          if (!(error instanceof Rejected)) throw error;
          [this.at, this.depth] = [at, depth];
        }
      }
      return this.comparison();
    }

    atMost() {
      this.at += 2;
      const most = this.number(this.take());
      if (most === null || !most.isWhole || most.sign < 0) throw this.fault();
      const features = [];
      while (this.skip(",") !== null) features.push(this.feature(this.take()));
      this.need(")");
      if (new Set(features).size < features.length) reject("form", `the relation ${this.text} names a feature twice`);
      const atom = { kind: "count", features, most: Number(most.over) };
      return (holds) => (holds ? atom : { kind: "not", part: atom });
    }

    step() {
      this.at += 2;
      const step = this.number(this.take());
      this.need(",");
      const feature = this.feature(this.take());
      this.need(")");
      if (step === null || step.sign <= 0 || this.next().kind !== "end") throw this.fault();
      return { kind: "step", feature, step };
    }

    comparison() {
      const start = this.at;
      const left = this.sum();
      const first = this.tokens[start];
      const alone = this.at === start + 1;
      if (alone && ((first.kind === "word" && first.text.endsWith(":")) || this.skip(":") !== null)) {
        return this.transition(first.kind === "word" ? first.text.replace(/:$/, "") : first.text);
      }
      const negated = this.skip("not") !== null;
      if (this.skip("in") !== null) {
        if (!alone) throw this.fault();
        return this.member(first, !negated, this.set());
      }
      let sign = negated ? null : this.skip(...Object.keys(MIRRORED), "==");
      if (sign === null) throw this.fault();
      if (sign === "==") sign = "=";
      const [token, after] = [this.next(), this.next(1)];
      const isSum =
        (token.kind === "word" && SIGNS.includes(token.text)) || (after.kind === "word" && SIGNS.includes(after.text));
      if (alone && (token.kind === "word" || token.kind === "quoted") && !isSum) {
        return this.test(first, sign, this.take());
      }
      return this.compared(left, sign, this.sum());
    }

    set() {
      this.need("{");
      const found = [this.take()];
      while (this.skip(",") !== null) found.push(this.take());
      this.need("}");
      return found;
    }

    transition(name) {
      const some = () => (this.is("sign", "{") ? this.set() : [this.take()]);
      const before = some();
      this.need("->");
      const after = some();
      const was = this.member({ kind: "quoted", text: `old.${name}` }, true, before);
      const becomes = this.member({ kind: "quoted", text: name }, true, after);
      return (holds) => joined(holds ? "or" : "and", [was(!holds), becomes(!holds)]);
    }

    feature(token) {
      const index = this.number(token);
      if (index !== null && /^[0-9]+$/.test(token.text) && index.over < BigInt(this.old.features.length)) {
        return Number(index.over);
      }
      const place = this.old.features.indexOf(token.text);
      return place < 0 ? reject("form", `there is no feature ${token.text}`) : place;
    }

    named(token) {
      if (token.kind === "word" && this.number(token) !== null) return null;
      for (const prefix of ["", "old.", "change."]) {
        if (!token.text.startsWith(prefix)) continue;
        const place = this.old.features.indexOf(token.text.slice(prefix.length));
        if (place >= 0) return [prefix, place];
      }
      return null;
    }

    number(token) {
      const match = token.kind === "word" && token.text.length <= 400 ? NUMBER_WORD.exec(token.text) : null;
      if (match === null || !Number.isFinite(Number(token.text))) return null;
      if (match[1] !== undefined && Math.abs(Number(match[1])) > 400) reject("form", "a number is too small");
      return Fraction.fromText(token.text);
    }

    value(token) {
      const exact = this.number(token);
      if (exact !== null) {
        if (/^[+-]*[0-9]+$/.test(token.text)) return exact.over;
        return Number(token.text);
      }
      const constants = { True: true, False: false, None: null };
      return token.kind === "word" && Object.hasOwn(constants, token.text) ? constants[token.text] : token.text;
    }

    test(name, sign, given) {
      const [prefix, j] = this.named(name) ?? ["", this.feature(name)];
      const [domain, value] = [this.old.domains[j], this.value(given)];
      const known = domain.knownAs(value);
      const asSums = prefix === "change." || (this.named(given) !== null && !known.length);
      const numeric = domain.hasNumbers || this.old.numbers[j] !== null;
      if (asSums || (prefix === "old." && isNumber(value) && numeric)) {
        return this.compared(this.amount(name), sign, this.amount(given));
      }
      if (sign === "=" || sign === "!=") return this.member(name, sign === "=", [given]);
      if (isNumber(value) && (domain.hasNumbers || !known.length)) {
        return this.ordered(prefix, j, sign, Fraction.of(value));
      }
      if (known.length !== 1) reject("form", `${given.text} is not a value of ${name.text}`);
      const codes = new Set();
      for (let code = 0; code < (domain.size ?? 0); code++) {
        if (COMPARE[sign](code - known[0]) && !domain.apart.has(code)) codes.add(code);
      }
      return this.has(prefix, j, codes);
    }

    ordered(prefix, j, sign, value) {
      const domain = this.old.domains[j];
      const fits = (number) => number !== null && COMPARE[sign](Fraction.of(number).compare(value));
      if (prefix) {
        const fine = fits(this.old.numbers[j]);
        return (holds) => (fine === holds ? ALWAYS : NEVER);
      }
      if (!domain.hasNumbers) {
        const codes = domain.labels.flatMap((label, code) => (fits(domain.numberOf(label)) ? [code] : []));
        return this.has("", j, new Set(codes));
      }
      const form = { terms: new Map([[j, ONE]]), constant: value.negated() };
      const [yes, no] = [this.row(form, sign), this.row(form, OPPOSITE[sign])];
      const missing = this.missing(j);
      const known = missing === NEVER ? ALWAYS : { kind: "not", part: missing };
      return (holds) => (holds ? joined("and", [known, yes]) : joined("or", [missing, no]));
    }

    member(name, inside, given) {
      const [prefix, j] = this.named(name) ?? ["", this.feature(name)];
      const domain = this.old.domains[j];
      const values = given.map((token) => this.value(token));
      if (domain.hasNumbers && values.every((value) => isNumber(value) || typeof value === "boolean")) {
        const parts = values.map((value) => {
          const number = Fraction.of(typeof value === "boolean" ? BigInt(value) : value);
          return [this.ordered(prefix, j, "<=", number), this.ordered(prefix, j, ">=", number)];
        });
        return (holds) => {
          const one = holds === inside;
          return joined(
            one ? "or" : "and",
            parts.map(([low, high]) => joined(one ? "and" : "or", [low(one), high(one)])),
          );
        };
      }
      const codes = new Set();
      for (const value of values) {
        const known = domain.knownAs(value);
        if (known.length !== 1) reject("form", `a relation names no value of ${name.text}`);
        codes.add(known[0]);
      }
      const has = this.has(prefix, j, codes);
      return (holds) => has(holds === inside);
    }

    has(prefix, j, codes) {
      if (prefix) {
        const was = codes.has(this.old.codes[j]);
        return (holds) => (was === holds ? ALWAYS : NEVER);
      }
      const size = this.old.domains[j].size;
      if (size === null) reject("form", "a line of numbers is compared with labels");
      const others = new Set(Array.from({ length: size }, (_, code) => code).filter((code) => !codes.has(code)));
      return (holds) => ({ kind: "is", feature: j, codes: holds ? codes : others });
    }

    amount(token) {
      const exact = this.number(token);
      return exact === null ? { kind: "name", token } : { kind: "number", number: exact };
    }

    sign(...signs) {
      return this.next().kind === "word" ? this.skip(...signs) : null;
    }

    sum() {
      let found = this.product();
      for (let sign = this.sign("+", "-"); sign !== null; sign = this.sign("+", "-")) {
        found = { kind: sign, parts: [found, this.product()] };
      }
      return found;
    }

    product() {
      let found = this.factor();
      for (let sign = this.sign("*", "/"); sign !== null; sign = this.sign("*", "/")) {
        found = { kind: sign, parts: [found, this.factor()] };
      }
      return found;
    }

    factor() {
      this.deeper();
      let found;
      if (this.sign("-") !== null) found = { kind: "-", parts: [{ kind: "number", number: ZERO_FRACTION }, this.factor()] };
      else if (this.skip("(") !== null) {
        found = this.sum();
        this.need(")");
      } else found = this.amount(this.take());
      this.depth--;
      return found;
    }

    compared(left, sign, right) {
      return (holds) => this.linear({ kind: "-", parts: [left, right] }, holds ? sign : OPPOSITE[sign]);
    }

    linear(difference, sign) {
      const divisors = [];
      const used = new Set();
      let over, under;
      try {
        [over, under] = this.quotient(difference, divisors, used);
      } catch (error) {
        if (error instanceof Missing) return ALWAYS;
        if (error instanceof DividedByZero) return NEVER;
        throw error;
      }
      const defined = divisors.map((form) => joined("or", [this.row(form, "<"), this.row(form, ">")]));
      let core;
      if (!under.terms.size) core = this.row(over, under.constant.sign > 0 ? sign : MIRRORED[sign]);
      else {
        const above = joined("and", [this.row(under, ">"), this.row(over, sign)]);
        const below = joined("and", [this.row(under, "<"), this.row(over, MIRRORED[sign])]);
        core = joined("or", [above, below]);
      }
      const missing = [...used].sort((a, b) => a - b).map((j) => this.missing(j));
      return joined("or", [...missing, joined("and", [...defined, core])]);
    }

    missing(j) {
      const domain = this.old.domains[j];
      if (domain.line !== null) {
        return this.old.numbers[j] !== null ? NEVER : { kind: "is", feature: j, codes: new Set([MISSING]) };
      }
      const codes = new Set();
      for (let code = 0; code < domain.size; code++) if (domain.interval(code) === null) codes.add(code);
      return codes.size ? { kind: "is", feature: j, codes } : NEVER;
    }

    quotient(amount, divisors, used) {
      if (amount.kind === "number") return [constant(amount.number), constant(ONE)];
      if (amount.kind === "name") return [this.form(amount.token, used), constant(ONE)];
      const [[a, b], [c, d]] = amount.parts.map((part) => this.quotient(part, divisors, used));
      if (amount.kind === "+" || amount.kind === "-") {
        const factor = amount.kind === "+" ? ONE : ONE.negated();
        if (sameForm(b, d)) return [plus(a, scaled(c, factor)), b];
        return [plus(times(a, d), scaled(times(c, b), factor)), times(b, d)];
      }
      if (amount.kind === "*") return [times(a, c), times(b, d)];
      if (!c.terms.size && !c.constant.sign) throw new DividedByZero();
      if (c.terms.size) divisors.push(c);
      return [times(a, d), times(b, c)];
    }

    form(token, used) {
      const named = this.named(token);
      if (named === null) reject("form", `there is no feature ${token.text}`);
      const [prefix, j] = named;
      const old = this.old.numbers[j];
      if (prefix && old === null) throw new Missing();
      const number = Fraction.of(old ?? 0n);
      if (prefix === "old.") return constant(number);
      used.add(j);
      return { terms: new Map([[j, ONE]]), constant: prefix ? number.negated() : ZERO_FRACTION };
    }

    row(form, sign) {
      const mirrored = scaled(form, ONE.negated());
      if (sign === ">" || sign === ">=") return this.row(mirrored, MIRRORED[sign]);
      if (sign === "<" || sign === "<=") return rowAtom(form.terms, form.constant.negated(), sign === "<");
      let size = form.constant.size;
      for (const [j, c] of form.terms) size = size.plus(c.times(Fraction.of(this.old.numbers[j] ?? 0n)).size);
      const near = new Fraction(1n, 1n << 40n).times(size.compare(ONE) > 0 ? size : ONE);
      const [c, m] = [form.constant, near.negated()];
      if (sign === "=") {
        return joined("and", [
          rowAtom(form.terms, near.minus(c), false),
          rowAtom(mirrored.terms, near.plus(c), false),
        ]);
      }
      return joined("or", [rowAtom(form.terms, m.minus(c), true), rowAtom(mirrored.terms, m.plus(c), true)]);
    }
  }

  function obeys(formula, codes, numbers, changed) {
    const inner = (part) => obeys(part, codes, numbers, changed);
    switch (formula.kind) {
      case "and":
        return formula.parts.every(inner);
      case "or":
        return formula.parts.some(inner);
      case "not":
        return !inner(formula.part);
      case "is":
        return formula.codes.has(codes[formula.feature]);
      case "count":
        return new Set(formula.features.filter((j) => changed.has(j))).size <= formula.most;
      case "likely": {
        const own = formula.cells.map((cells, j) => cells[codes[j]]);
        const term = (lines, j) => lines[formula.parents[j] === null ? 0 : own[formula.parents[j]]][own[j]];
        return formula.terms.reduce((sum, lines, j) => sum + term(lines, j), 0n) >= formula.least;
      }
    }
    let total = ZERO_FRACTION;
    for (const [j, c] of formula.terms) total = total.plus(c.times(Fraction.of(numbers[j] ?? 0n)));
    const order = total.compare(formula.most);
    return order < 0 || (order === 0 && !formula.strict);
  }

  // --- rules ----------------------------------------------------------------------------------------------------------

  const ties = (data) => (data === "first" || data === "last" ? data === "last" : reject("form", "ties must be 'first' or 'last'"));

  /* The largest of some sums wins; one sum decides between two classes by its sign. */
  class Compared {
    classOf(row) {
      const sums = this.sumsOf(row);
      if (this.nSums === 1) return Number(sums[0] >= (this.laterWins ? 0n : 1n));
      let best = 0;
      sums.forEach((sum, k) => {
        if (sum > sums[best] || (sum === sums[best] && this.laterWins)) best = k;
      });
      return best;
    }

    beats(r, p) {
      const bound = r > p === this.laterWins ? 0n : 1n;
      return { signs: this.nSums === 1 ? [[0, r ? 1n : -1n]] : [[r, 1n], [p, -1n]], bound };
    }

    alternatives(decision, target) {
      const others = Array.from({ length: this.nClasses }, (_, k) => k).filter((k) => k !== decision);
      if (target === null || this.nClasses === 2) return others.map((r) => [this.beats(r, decision)]);
      const rivals = Array.from({ length: this.nClasses }, (_, k) => k).filter((k) => k !== target);
      return [rivals.map((p) => this.beats(target, p))];
    }
  }

  class Additive extends Compared {
    sumsOf(row) {
      return this.bias.map((bias, k) => row.reduce((sum, code, j) => sum + this.part(j, code, k), bias));
    }

    doubt() {
      return 0n;
    }

    margin(j, code, condition) {
      return condition.signs.reduce((sum, [k, sign]) => sum + sign * this.part(j, code, k), 0n);
    }

    reached(row, condition) {
      const bias = condition.signs.reduce((sum, [k, sign]) => sum + sign * this.bias[k], 0n);
      return row.reduce((sum, code, j) => sum + this.margin(j, code, condition), bias);
    }

    readBias(bias, nClasses) {
      const count = Array.isArray(bias) ? bias.length : reject("form", "bias must be a list");
      this.nClasses = nClasses;
      this.nSums = nClasses === 2 && count === 1 ? 1 : nClasses;
      this.bias = items(bias, "bias", (part) => integer(part, "bias"), this.nSums);
    }
  }

  class Sums extends Additive {
    constructor(data, sizes, nClasses) {
      super();
      const [, weights, bias, tied] = record(data, "the rule", ["kind", "weights", "bias", "ties"]);
      this.readBias(bias, nClasses);
      this.weights = items(
        weights,
        "weights",
        (columns) =>
          items(columns, "weights", same, sizes.length).map((column, j) =>
            items(column, "weights", (part) => integer(part, "weights"), sizes[j]),
          ),
        this.nSums,
      );
      this.laterWins = ties(tied);
      this.sizes = sizes;
    }

    part(j, code, k) {
      return this.weights[k][j][code];
    }
  }

  class Numbers extends Additive {
    constructor(data, sizes, nClasses) {
      super();
      const keys = ["kind", "terms", "bias", "scale", "ties", "doubt"];
      const [, terms, bias, scale, tied, doubt] = record(data, "the rule", keys);
      this.readBias(bias, nClasses);
      this.scale = small(scale, "scale", -4096, 4096);
      this.laterWins = ties(tied);
      this.ownDoubt = integer(doubt, "doubt", 0n);
      this.sizes = sizes;
      this.missing = new Map();
      this.differences = new Map();
      this.terms = items(terms, "terms", same, sizes.length).map((term, j) => {
        if (sizes[j] !== null) {
          const [rows] = record(term, "a term of values", ["weights"]);
          return { table: items(rows, "weights", (row) => items(row, "weights", (w) => integer(w, "weights"), sizes[j]), this.nSums) };
        }
        const mayBeMissing = term instanceof Map && term.has("missing");
        const [curves, missing] = record(term, "a term of a number", ["numbers", ...(mayBeMissing ? ["missing"] : [])]);
        if (mayBeMissing) this.missing.set(j, items(missing, "missing", (w) => integer(w, "missing"), this.nSums));
        return { curves: items(curves, "numbers", polynomial, this.nSums) };
      });
    }

    part(j, code, k) {
      const term = this.terms[j];
      if (term.table) return term.table[k][code];
      if (code === MISSING && this.missing.has(j)) return this.missing.get(j)[k];
      return this.rounded(term.curves[k], code);
    }

    margin(j, code, condition) {
      if (this.terms[j].table || condition.signs.length === 1 || code === MISSING) return super.margin(j, code, condition);
      return this.rounded(this.difference(j, condition), code);
    }

    difference(j, condition) {
      const key = `${j} ${condition.signs}`;
      if (!this.differences.has(key)) {
        const { curves } = this.terms[j];
        const parts = [0, 2].flatMap((at) =>
          shortened(condition.signs.map(([k, sign]) => [sign * curves[k][at], curves[k][at + 1]])),
        );
        this.differences.set(key, parts);
      }
      return this.differences.get(key);
    }

    rounded([curve, curveExponent, slope, slopeExponent], code) {
      const [digits, exponent] = digitsOf(numberOfCode(code));
      const units = this.scale + 64 + exponent;
      const square = shifted(curve * digits * digits, units + exponent + curveExponent);
      const line = shifted(slope * digits, units + slopeExponent);
      return (square + line + (1n << 63n)) >> 64n;
    }

    doubt(row) {
      const sizes = this.bias.map((bias, k) => row.reduce((sum, code, j) => sum + abs(this.part(j, code, k)), abs(bias)));
      const size = sizes.reduce((a, b) => (a > b ? a : b));
      const beyond = 1n + ((size - 1n) >> 54n);
      return this.ownDoubt * (beyond > 1n ? beyond : 1n);
    }

    polynomial(j, condition) {
      const [curve, curveExponent, slope, slopeExponent] = this.difference(j, condition);
      return [power(curve, this.scale + curveExponent), power(slope, this.scale + slopeExponent)];
    }

    apexes(j, condition) {
      const [square, line] = this.polynomial(j, condition);
      return square.sign ? [coded(line.negated().by(square.times(new Fraction(2n))))] : [];
    }
  }

  const power = (digits, exponent) =>
    exponent >= 0 ? new Fraction(digits << BigInt(exponent)) : new Fraction(digits, 1n << BigInt(-exponent));

  function polynomial(data) {
    const [curve, curveExponent, slope, slopeExponent] = items(data, "numbers", (part) => integer(part, "numbers"), 4);
    const limit = 1 << 14;
    return [curve, small(curveExponent, "numbers", -limit, limit), slope, small(slopeExponent, "numbers", -limit, limit)];
  }

  function shifted(number, places) {
    if (Math.abs(places) > 1 << 15) reject("form", "an exponent of the rule is out of range");
    return places >= 0 ? number << BigInt(places) : number >> BigInt(-places);
  }

  /* Digits times powers of two, added up, and rounded to 61 bits, halves away from 0. */
  function shortened(parts) {
    const least = Math.min(...parts.map(([, exponent]) => exponent));
    const digits = parts.reduce((sum, [part, exponent]) => sum + (part << BigInt(exponent - least)), 0n);
    const extra = bitLength(abs(digits)) - 61;
    if (extra <= 0) return [digits, least];
    const rounded = (abs(digits) + (1n << BigInt(extra - 1))) >> BigInt(extra);
    return [digits > 0n ? rounded : -rounded, least + extra];
  }

  function coded(number) {
    const smallest = numberOfCode(ZERO + 1n);
    const largest = numberOfCode(ZERO + 1n + LARGEST - SMALLEST);
    const size = number.size;
    let nearest;
    if (size.compare(Fraction.of(smallest)) < 0) {
      nearest = size.times(new Fraction(2n)).compare(Fraction.of(smallest)) > 0 ? smallest : 0;
    } else nearest = size.compare(Fraction.of(largest)) > 0 ? largest : size.toDouble();
    return number.sign < 0 ? -nearest : nearest;
  }

  class Trees extends Compared {
    constructor(data, sizes, nClasses, effort) {
      super();
      const [, trees, tied] = record(data, "the rule", ["kind", "trees", "ties"]);
      this.nClasses = this.nSums = nClasses;
      this.laterWins = ties(tied);
      this.sizes = sizes;
      this.effort = effort;
      this.nodes = [];
      this.trees = items(trees, "trees", (tree) => this.tree(tree));
    }

    tree(data) {
      const nodes = items(data, "a tree", (node) => items(node, "a node", same));
      if (!nodes.length) reject("form", "a tree must have a node");
      const [tests, scores, leaves] = [new Map(), new Map(), []];
      const waiting = [[0, new Map()]];
      while (waiting.length) {
        const [number, box] = waiting.pop();
        if (tests.has(number) || scores.has(number)) reject("form", "a node of a tree has two parents");
        const node = nodes[number];
        if (node.length === 1) {
          scores.set(number, items(node[0], "scores", (part) => integer(part, "scores"), this.nSums));
          leaves.push({ scores: scores.get(number), box: [...box] });
          continue;
        }
        if (node.length !== 4) reject("form", "a node of a tree must be [scores] or [feature, values, left, right]");
        const feature = small(node[0], "a feature", 0, this.sizes.length);
        const size = this.sizes[feature];
        this.effort.spend(128 * (1 + box.size));
        const whole = bit(size) - 1n;
        const goesLeft = runs(node[1], size);
        const [left, right] = [node[2], node[3]].map((child) => small(child, "a child", number + 1, nodes.length));
        tests.set(number, [feature, goesLeft, left, right]);
        for (const [child, mask] of [[right, whole & ~goesLeft], [left, goesLeft]]) {
          const inside = mask & (box.get(feature) ?? whole);
          if (inside) waiting.push([child, new Map(box).set(feature, inside)]);
        }
      }
      this.nodes.push([tests, scores]);
      if (tests.size + scores.size < nodes.length) reject("form", "a tree has nodes that no row reaches");
      return leaves;
    }

    sumsOf(row) {
      const sums = Array(this.nSums).fill(0n);
      for (const [tests, scores] of this.nodes) {
        let at = 0;
        while (tests.has(at)) {
          const [feature, goesLeft, left, right] = tests.get(at);
          at = goesLeft & bit(row[feature]) ? left : right;
        }
        scores.get(at).forEach((score, k) => (sums[k] += score));
      }
      return sums;
    }
  }

  function runs(data, size) {
    const ends = items(data, "the values that go left", (part) => integer(part, "the values that go left"));
    let [mask, before] = [0n, -2n];
    if (ends.length % 2) reject("form", "runs of values must have a first and a last value");
    for (let i = 0; i < ends.length; i += 2) {
      const [first, last] = [ends[i], ends[i + 1]];
      if (!(before + 1n < first && first <= last && last < BigInt(size))) reject("form", "runs of values must ascend");
      mask |= (1n << (last + 1n)) - (1n << first);
      before = last;
    }
    return mask;
  }

  class Diagrams {
    constructor(data, sizes, nClasses, effort) {
      const [, diagrams] = record(data, "the rule", ["kind", "diagrams"]);
      this.nClasses = nClasses;
      this.sizes = sizes;
      this.effort = effort;
      this.diagrams = items(diagrams, "diagrams", (diagram) => this.diagram(diagram), nClasses === 2 ? 1 : nClasses);
      if (nClasses !== 2) this.checkOneClass();
    }

    diagram(data) {
      const [order, nodes, root] = record(data, "a diagram", ["order", "nodes", "root"]);
      const n = this.sizes.length;
      const features = items(order, "order", (part) => small(part, "order", 0, n), n);
      if (new Set(features).size < n) reject("form", "the order of a diagram must list each feature once");
      const found = [];
      const levels = [n, n];
      for (const node of items(nodes, "nodes", (part) => items(part, "a node", same))) {
        const level = small(node[0], "the level of a node", 0, n);
        const children = node.slice(1).map((child) => small(child, "a child", 0, levels.length));
        if (children.length !== this.sizes[features[level]]) reject("form", "a node must have one child per value");
        if (children.some((child) => levels[child] <= level)) reject("form", "the children of a node must lie on lower levels");
        found.push({ feature: features[level], children });
        levels.push(level);
      }
      return { order: features, nodes: found, root: small(root, "root", 0, levels.length) };
    }

    checkOneClass() {
      const [{ order }] = this.diagrams;
      if (this.diagrams.some((diagram) => diagram.order.some((j, i) => j !== order[i]))) {
        reject("rule", "the diagrams of the classes must have one order");
      }
      const place = new Map(order.map((feature, level) => [feature, level]));
      const start = this.diagrams.map(({ root }) => root);
      const seen = new Set([start.join()]);
      const waiting = [start];
      while (waiting.length) {
        const at = waiting.pop();
        const nodeAt = (i) => (at[i] > 1 ? this.diagrams[i].nodes[at[i] - 2] : null);
        const tested = at.map((_, i) => nodeAt(i)).filter((node) => node !== null);
        if (!tested.length) {
          if (at.reduce((a, b) => a + b, 0) !== 1) reject("rule", "the diagrams do not give one class to every row");
          continue;
        }
        const { feature } = tested.reduce((a, b) => (place.get(a.feature) <= place.get(b.feature) ? a : b));
        this.effort.spend(10 * at.length * this.sizes[feature]);
        for (let code = 0; code < this.sizes[feature]; code++) {
          const after = at.map((u, i) => (nodeAt(i)?.feature === feature ? nodeAt(i).children[code] : u));
          if (seen.has(after.join())) continue;
          this.effort.spend(1024);
          seen.add(after.join());
          waiting.push(after);
        }
      }
    }

    classOf(row) {
      const sinks = this.diagrams.map(({ nodes, root }) => {
        let at = root;
        while (at > 1) at = nodes[at - 2].children[row[nodes[at - 2].feature]];
        return at;
      });
      return this.nClasses === 2 ? sinks[0] : sinks.indexOf(1);
    }

    goal(decision, target) {
      if (this.nClasses === 2) return { ...this.diagrams[0], sink: 1 - decision };
      return target === null ? { ...this.diagrams[decision], sink: 0 } : { ...this.diagrams[target], sink: 1 };
    }
  }

  const RULES = { sums: Sums, numbers: Numbers, trees: Trees, diagrams: Diagrams };

  // --- the statement --------------------------------------------------------------------------------------------------

  const CLAIMS = {
    all: ["kind"], "up to": ["kind", "changes"], first: ["kind"], cheapest: ["kind", "least"], listed: ["kind"],
  };
  const CONSTRAINTS = {
    immutable: ["feature"], increase: ["feature"], decrease: ["feature"], allowed: ["feature", "values"],
    excluded: ["feature", "values"], whole: ["feature"], relation: ["text"],
    plausible: ["cells", "parents", "terms", "least"],
  };

  const kindOf = (data, known, where) => {
    const kind = data instanceof Map ? data.get("kind") : null;
    return typeof kind === "string" && Object.hasOwn(known, kind) ? kind : reject("form", `${where} is of no known kind`);
  };

  class Statement {
    constructor(data, effort) {
      this.effort = effort;
      if (data.get("format") !== "symcf certificate") reject("version", "it is not a symcf certificate");
      if (data.get("version") !== 2n) reject("version", `it has version ${data.get("version")}, and this page reads version 2`);
      this.isRegion = data.has("region");
      const keys = ["format", "version", "number", "model", "question", "answer", "proof"];
      keys.push(...(this.isRegion ? ["region"] : ["row", "decision"]));
      const [, , , model, question, answer, proof, row, decision] = record(data, "a certificate", keys);
      this.proof = proof;
      this.readModel(model);
      this.regions = null;
      if (this.isRegion) this.readRegion(row, question);
      else {
        this.readRow(row);
        this.decision = this.classCode(decision, "decision");
      }
      this.readQuestion(question);
      this.readAnswer(answer);
      this.doubt = this.rule instanceof Numbers && !this.isRegion ? this.rule.doubt(this.row) : 0n;
    }

    readRow(row) {
      const values = items(row, "row", same, this.n);
      this.row = values.map((value, j) => this.domains[j].codeOf(value, "row"));
      this.numbers = values.map((value, j) => this.domains[j].numberOf(value));
      this.row.forEach((code, j) => {
        if (code === MISSING && !this.rule.missing?.has(j)) reject("form", `${this.features[j]} cannot be missing`);
      });
    }

    /* By feature, labels and ranges of numbers. */
    readRegion(data, question) {
      this.regions = items(data, "region", same, this.n).map((values, j) => {
        const found = this.listed(j, items(values, "region", same));
        if (this.domains[j].line !== null && !values.every((one) => isNumber(one) || Array.isArray(one))) {
          reject("form", "on a line, a region has numbers and nothing else");
        }
        if (this.domains[j].line !== null && !found.ranges.flat().every(Number.isFinite)) {
          reject("form", "on a line, a region has two ends");
        }
        if (found.ranges.some(([low, high]) => low > high)) reject("form", "a range of a region ends before it begins");
        if (!found.codes && !found.ranges.length) reject("form", `the region has no value of ${this.features[j]}`);
        return { labels: found.codes, spans: found.ranges };
      });
      this.row = this.features.map(() => 0);
      this.numbers = this.features.map(() => null);
      const target = question instanceof Map ? question.get("target") : null;
      if (this.nClasses < 2 || target === null || target === undefined) reject("form", "a region needs a target");
      const wanted = this.classCode(items(target, "target", labelOf, 1)[0], "target");
      this.decision = wanted === 0 ? 1 : 0;
    }

    readModel(data) {
      const [fingerprint, features, values, classes, rule] = record(data, "model", [
        "fingerprint", "features", "values", "classes", "rule",
      ]);
      this.fingerprint = fingerprint;
      this.features = items(features, "features", textOf);
      this.n = this.features.length;
      if (new Set(this.features).size < this.n) reject("form", "a feature comes twice");
      this.classes = items(classes, "classes", labelOf);
      this.nClasses = this.classes.length || reject("form", "there is no class");
      this.classCodes = new Map(this.classes.map((label, k) => [canonical(label), k]));
      if (this.classCodes.size < this.nClasses) reject("form", "a class comes twice");
      this.stated = items(values, "values", same, this.n);
      this.domains = this.stated.map((part) => new Domain(part));
      this.sizes = this.domains.map((domain) => domain.size);
      if (Math.max(this.n, ...this.sizes) > MOST_NAMES) reject("effort", "too many features or values");
      const kind = kindOf(rule, RULES, "the rule");
      if (kind !== "numbers" && this.sizes.includes(null)) reject("form", "only a rule of kind numbers has lines");
      if (fingerprint !== fingerprintOf(data)) reject("fingerprint", "the fingerprint is not that of the names and the rule");
      this.rule = new RULES[kind](rule, this.sizes, this.nClasses, this.effort);
    }

    classCode(label, where) {
      if (Array.isArray(label)) reject("form", `${where} is not one of the classes`);
      return this.classCodes.get(canonical(label)) ?? reject("form", `${where} is not one of the classes`);
    }

    readQuestion(data) {
      const keys = ["target", "constraints", "costs", "max_changes", "k"];
      const hasMoves = data instanceof Map && data.has("moves");
      if (hasMoves) keys.push("moves");
      const [target, constraints, costs, most, k, moves] = record(data, "question", keys);
      this.target = target === null ? null : this.classCode(items(target, "target", labelOf, 1)[0], "target");
      this.masks = this.sizes.map((size) => (size === null ? null : bit(size) - 1n));
      this.spans = this.domains.map((domain) => [domain.line ?? [-Infinity, Infinity]]);
      this.grids = this.domains.map(() => []);
      this.relations = [];
      this.phrases = this.features.flatMap((name, j) => {
        const data = this.stated[j];
        if (!(data instanceof Map) || !data.has("low")) return [];
        return [`${name} lies between ${labelText(data.get("low"))} and ${labelText(data.get("high"))} if it changes`];
      });
      this.old = { features: this.features, domains: this.domains, codes: this.row, numbers: this.numbers };
      for (const constraint of items(constraints, "constraints", same)) this.constrain(constraint);
      this.settle();
      this.maxChanges = most === null ? null : countOf(most, "max_changes", 0);
      this.k = k === null ? null : countOf(k, "k", 1);
      this.readCosts(costs);
      this.moves = null;
      if (hasMoves) {
        this.moves = new Set(items(moves, "moves", textOf).map((name) => this.features.indexOf(name)));
        if (this.moves.has(-1)) reject("form", "moves lists features");
      }
      if (this.isRegion) {
        if (most !== null || k !== null || costs !== null || hasMoves || this.relations.length) {
          reject("form", "about a region nothing is asked but a target, and no terms are known");
        }
        this.regions = this.regions.map(({ labels, spans }, j) => {
          const domain = this.domains[j];
          const more = (this.masks[j] ?? 0n) & ~(bit(domain.cells) - 1n);
          const pieces = domain.hasNumbers ? this.pieces(j, [-Infinity, Infinity]) : [];
          return { labels: labels | more, spans: [...spans, ...pieces] };
        });
      }
    }

    constrain(data) {
      const kind = kindOf(data, CONSTRAINTS, "a constraint");
      const [, first, listed, ...rest] = record(data, "a constraint", ["kind", ...CONSTRAINTS[kind]]);
      if (kind === "plausible") {
        this.plausible(first, listed, ...rest);
        return;
      }
      const text = textOf(first, "a constraint");
      this.effort.spend(100 + text.length);
      if (kind === "relation") {
        if (this.regions !== null) reject("form", "a relation is about one row, not about a region");
        this.phrases.push(text);
        const found = new Reader(text, this.old).whole();
        if (found.kind === "step") this.grid(found.feature, Fraction.of(this.numbers[found.feature] ?? 0n), found.step);
        else this.relations.push(found);
        return;
      }
      const j = this.features.indexOf(text);
      if (j < 0) reject("form", `a constraint is about ${text}, which is not a feature`);
      const values = listed === undefined ? [] : items(listed, "values", same);
      this.phrases.push(phrase(kind, text, values));
      if (kind === "immutable") {
        this.mask(j, 0n);
        this.spans[j] = [];
      } else if (kind === "whole") this.grid(j, ZERO_FRACTION, ONE);
      else if (kind === "allowed" || kind === "excluded") this.list(j, values, kind === "allowed");
      else this.direct(j, kind === "increase");
    }

    /* By feature and line, which is the cell of its parent, one term by cell. */
    plausible(given, before, lines, bound) {
      if (this.sizes.includes(null)) reject("form", "terms of plausibility are by cell, and lines have none");
      this.effort.spend(100 + this.sizes.reduce((a, b) => a + b, 0));
      const cells = items(given, "cells", same, this.n).map((some, j) =>
        items(some, "cells", (cell) => small(cell, "cells", 0, MOST_NAMES), this.sizes[j]),
      );
      const counts = cells.map((some) => some.reduce((a, b) => Math.max(a, b), 0) + 1);
      const parents = items(before, "parents", (p) => (p === null ? null : small(p, "parents", 0, this.n)), this.n);
      const terms = items(lines, "terms", same, this.n).map((some, j) => {
        const count = parents[j] === null ? 1 : counts[parents[j]];
        this.effort.spend(count * counts[j]);
        return items(some, "terms", (line) => items(line, "terms", (term) => integer(term, "terms"), counts[j]), count);
      });
      const least = integer(bound, "least");
      this.phrases.push(`the terms of plausibility add up to at least ${least}`);
      this.relations.push({ kind: "likely", cells, parents, terms, least });
    }

    mask(j, mask) {
      if (this.masks[j] !== null) this.masks[j] &= mask;
    }

    direct(j, up) {
      const domain = this.domains[j];
      let own = this.numbers[j];
      let codes = [this.row[j]];
      if (this.regions !== null) {
        const ends = this.regions[j].spans.flat();
        own = ends.length ? ends.reduce((a, b) => (up ? Math.min(a, b) : Math.max(a, b))) : null;
        codes = [...bits(this.regions[j].labels)];
      }
      if (domain.hasNumbers) {
        let beyond = [];
        if (own !== null) beyond = up ? [[nextAfter(own, Infinity), Infinity]] : [[-Infinity, nextAfter(own, -Infinity)]];
        this.spans[j] = meet(this.spans[j], beyond);
        this.mask(j, bit(domain.cells) - 1n);
        return;
      }
      const { apart } = domain;
      const placed = codes.filter((code) => !apart.has(code));
      if (!placed.length) {
        this.mask(j, 0n);
        return;
      }
      const [first, last] = [placed.reduce((a, b) => Math.min(a, b)), placed.reduce((a, b) => Math.max(a, b))];
      const beyond = up ? (bit(domain.size) - 1n) & ~(bit(first + 1) - 1n) : bit(last) - 1n;
      this.mask(j, [...apart].reduce((mask, code) => mask & ~bit(code), beyond));
    }

    grid(j, origin, step) {
      if (!this.domains[j].hasNumbers) reject("form", `${this.features[j]} has no numbers that could be multiples`);
      const isKnown = ([o, s]) => o.compare(origin) === 0 && s.compare(step) === 0;
      if (!this.grids[j].some(isKnown)) this.grids[j].push([origin, step]);
      if (this.grids[j].length > MOST_GRIDS) reject("effort", `new numbers are multiples of at most ${MOST_GRIDS} numbers`);
    }

    /* Labels as a mask of codes, and ranges of numbers. */
    listed(j, values) {
      const domain = this.domains[j];
      const isRange = (value) => domain.hasNumbers && (isNumber(value) || Array.isArray(value));
      const ranges = values.filter(isRange).map((value) => {
        if (isNumber(value)) return [numberFrom(value), numberFrom(value)];
        const [low, high] = items(value, "a range", same, 2);
        return [low === null ? -Infinity : numberFrom(low), high === null ? Infinity : numberFrom(high)];
      });
      let codes = 0n;
      for (const label of values.filter((value) => !isRange(value))) {
        if (domain.line === null) codes |= bit(domain.codeOf(label, "a constraint"));
      }
      return { codes, ranges: ranges.some(([low, high]) => low > high) ? ranges : disjoint(ranges) };
    }

    list(j, values, inside) {
      const domain = this.domains[j];
      let { codes, ranges } = this.listed(j, values);
      if (!inside) {
        if (ranges.length) reject("form", "only labels can be excluded");
        this.mask(j, ~codes);
        return;
      }
      if (domain.hasNumbers) {
        codes |= bit(domain.cells) - 1n;
        this.effort.spend(128 * this.spans[j].length * ranges.length);
        this.spans[j] = disjoint(meet(this.spans[j], ranges));
      }
      this.mask(j, codes);
    }

    settle() {
      this.choices = this.domains.map((domain, j) => {
        let mask = this.masks[j];
        if (mask === null) {
          this.spans[j] = this.pieces(j, [-Infinity, Infinity]);
          return null;
        }
        for (let code = 0; code < domain.cells; code++) {
          this.effort.spend(2 + 128 * this.spans[j].length);
          if (!this.pieces(j, domain.interval(code)).length) mask &= ~bit(code);
        }
        return mask | bit(this.row[j]);
      });
    }

    pieces(j, interval) {
      return this.grids[j].reduce(
        (found, grid) => found.map((piece) => onGrid(piece, grid)).filter((piece) => piece !== null),
        meet([interval], this.spans[j]),
      );
    }

    mayBecome(j, value, code) {
      const domain = this.domains[j];
      const number = domain.numberOf(value);
      if (number === null || !domain.hasNumbers) {
        return this.masks[j] !== null && Boolean(this.masks[j] & bit(code)) && code !== this.row[j];
      }
      const fits = this.grids[j].every(([origin, step]) => Fraction.of(number).minus(origin).by(step).isWhole);
      return fits && number !== this.numbers[j] && this.spans[j].some(([low, high]) => low <= number && number <= high);
    }

    readCosts(data) {
      this.costs = this.sizes.map(() => 1n);
      this.unit = ONE;
      if (data === null) return;
      const [unit, byFeature] = record(data, "costs", ["unit", "by_feature"]);
      this.unit = new Fraction(...items(unit, "unit", (part) => integer(part, "unit", 1n), 2));
      this.costs = items(byFeature, "costs", same, this.n).map((part, j) => {
        if (part instanceof Map) {
          const [each, other] = record(part, "a distance", ["each", "other"]);
          const [over, under] = items(each, "a distance", (p) => integer(p, "a distance", 1n), 2);
          if (!this.domains[j].hasNumbers) reject("form", "distances are between numbers of cells or of a line");
          return { each: new Fraction(over, under), other: integer(other, "a distance", 1n) };
        }
        if (!Array.isArray(part) || this.sizes[j] === null) return integer(part, "costs", 1n);
        const byValue = items(part, "costs by value", (cost) => integer(cost, "costs"), this.sizes[j]);
        if (byValue.some((cost, code) => cost < 1n && code !== this.row[j])) reject("form", "costs must be positive");
        return byValue;
      });
    }

    get flatCosts() {
      return this.costs.every((cost) => typeof cost === "bigint") ? this.costs : null;
    }

    readAnswer(data) {
      let sets, values, claim;
      this.reasons = null;
      if (data instanceof Map && data.has("reasons")) {
        let reasons;
        [reasons, claim] = record(data, "answer", ["reasons", "claim"]);
        this.reasons = items(reasons, "reasons", (part) => indices(part, "reasons", this.n));
        [, sets, values] = record(this.proof, "proof", ["kind", "sets", "values"]);
      } else {
        [sets, values, claim] = record(data, "answer", ["sets", "values", "claim"]);
      }
      this.sets = items(sets, "sets", (part) => indices(part, "sets", this.n));
      this.values = items(values, "values", (part) => items(part, "values", same), this.sets.length);
      this.codes = this.sets.map((features, at) => {
        if (this.values[at].length !== features.length) reject("values", "a set must have one new value per feature");
        return features.map((j, i) => this.domains[j].codeOf(this.values[at][i], "values"));
      });
      this.claim = kindOf(claim, CLAIMS, "the claim");
      const [, further] = record(claim, "claim", CLAIMS[this.claim]);
      this.most = this.claim === "up to" ? countOf(further, "changes", 0) : (this.maxChanges ?? this.n);
      this.least = null;
      if (this.claim === "cheapest") {
        this.least = new Fraction(...items(further, "least", (part) => integer(part, "least", 1n), 2));
      }
    }

    /* Cost, size and features of a listed set; the cost is a BigInt, or a fraction where numbers move. */
    key(at) {
      let [cost, paid] = [0n, null];
      this.sets[at].forEach((j, i) => {
        const price = this.costs[j];
        if (typeof price === "bigint") cost += price;
        else if (Array.isArray(price)) cost += price[this.codes[at][i]];
        else {
          const [old, now] = [this.numbers[j], this.domains[j].numberOf(this.values[at][i])];
          if (old === null || now === null) cost += price.other;
          else paid = Fraction.of(now).minus(Fraction.of(old)).size.times(price.each).plus(paid ?? ZERO_FRACTION);
        }
      });
      return { cost: paid === null ? cost : paid.plus(new Fraction(cost)), features: this.sets[at] };
    }

    /* Is a label the same as another one, or between the row's own label and that? */
    isBetween(j, code, far) {
      const [own, domain] = [this.row[j], this.domains[j]];
      if (code === far || this.moves === null || !this.moves.has(j) || domain.hasNumbers) return code === far;
      if ([own, code, far].some((one) => domain.apart.has(one))) return false;
      return (own < code && code < far) || (far < code && code < own);
    }

    /* Does a listed set move at most as far as another one? */
    isNearer(one, two) {
      return this.sets[one].every((j, i) => {
        const at = this.sets[two].indexOf(j);
        if (at < 0) return false;
        const domain = this.domains[j];
        const [near, far] = [domain.numberOf(this.values[one][i]), domain.numberOf(this.values[two][at])];
        if (this.moves !== null && domain.hasNumbers && near !== null && far !== null) {
          const old = this.numbers[j];
          if (near === far) return true;
          return this.moves.has(j) && old !== null && ((old < near && near < far) || (far < near && near < old));
        }
        return this.isBetween(j, this.codes[one][i], this.codes[two][at]);
      });
    }
  }

  const asFraction = (cost) => (cost instanceof Fraction ? cost : new Fraction(cost));

  function before(a, b) {
    if (a.cost instanceof Fraction || b.cost instanceof Fraction) {
      const order = asFraction(a.cost).compare(asFraction(b.cost));
      if (order) return order < 0;
    } else if (a.cost !== b.cost) return a.cost < b.cost;
    if (a.features.length !== b.features.length) return a.features.length < b.features.length;
    for (let i = 0; i < a.features.length; i++) if (a.features[i] !== b.features[i]) return a.features[i] < b.features[i];
    return false;
  }

  function phrase(kind, name, values) {
    const said = (value) => {
      if (!Array.isArray(value)) return labelText(value);
      const [low, high] = [value[0] ?? null, value[1] ?? null];
      if (low === null || high === null) return low === null ? `at most ${labelText(high)}` : `at least ${labelText(low)}`;
      return `${labelText(low)} to ${labelText(high)}`;
    };
    if (kind === "immutable") return `${name} does not change`;
    if (kind === "increase" || kind === "decrease") return `${name} may only ${kind}`;
    if (kind === "whole") return `${name} is a whole number`;
    const listed = values.map(said).join(" or ") || "nothing else";
    return kind === "allowed" ? `${name} may only become ${listed}` : `${name} does not become ${listed}`;
  }

  // --- may the decision flip if only these features change? ------------------------------------------------------------

  function* bits(mask) {
    const digits = mask.toString(2);
    for (let i = digits.length - 1; i >= 0; i--) if (digits[i] === "1") yield digits.length - 1 - i;
  }

  const bitCount = (mask) => {
    let count = 0;
    for (const digit of mask.toString(2)) count += digit === "1";
    return count;
  };

  class Reach {
    shrinks(features) {
      return [...bits(features)].some((j) => this.flips(features ^ bit(j)));
    }
  }

  function bestCodes(rule, j, [first, last], condition) {
    const [low, high] = [codeOfNumber(first), codeOfNumber(last)];
    return [low, high, ...rule.apexes(j, condition).map(codeOfNumber)].map((code) => (code < low ? low : code > high ? high : code));
  }

  class Gains extends Reach {
    constructor(statement) {
      super();
      const { rule } = statement;
      this.effort = statement.effort;
      this.alternatives = rule.alternatives(statement.decision, statement.target).map(([condition]) => {
        const gains = statement.row.map((own, j) => {
          const stays = rule.margin(j, own, condition);
          const choices = statement.choices[j];
          statement.effort.spend(statement.sizes[j] ?? 1);
          const codes =
            choices === null
              ? statement.spans[j].flatMap((span) => bestCodes(rule, j, span, condition))
              : [...bits(choices)];
          return codes.reduce((best, code) => {
            const gain = rule.margin(j, code, condition) - stays;
            return gain > best ? gain : best;
          }, 0n);
        });
        const bound = condition.bound > statement.doubt ? condition.bound : statement.doubt;
        return { gains, lacks: bound - rule.reached(statement.row, condition) };
      });
    }

    flips(features) {
      const changing = [...bits(features)];
      this.effort.spend(changing.length + 1);
      return this.alternatives.some(({ gains, lacks }) => changing.reduce((sum, j) => sum + gains[j], 0n) >= lacks);
    }
  }

  class Walk extends Reach {
    constructor(statement) {
      super();
      this.statement = statement;
      this.goal = statement.rule.goal(statement.decision, statement.target);
      this.edges = this.goal.nodes.reduce((sum, { children }) => sum + children.length, 0);
    }

    flips(features) {
      const { row, choices, effort } = this.statement;
      const { nodes, root, sink } = this.goal;
      effort.spend(this.edges + 1);
      const here = new Uint8Array(nodes.length + 2);
      here[root] = 1;
      for (let number = root; number > 1; number--) {
        if (!here[number]) continue;
        const { feature, children } = nodes[number - 2];
        const moves = Boolean(features & bit(feature));
        children.forEach((child, code) => {
          if (code === row[feature] || (moves && choices[feature] & bit(code))) here[child] = 1;
        });
      }
      return here[sink] === 1;
    }
  }

  // --- boxes ----------------------------------------------------------------------------------------------------------

  const opposite = ({ terms, most, strict }) => ({
    terms: terms.map(([j, c]) => [j, c.negated()]),
    most: most.negated(),
    strict: !strict,
  });

  function least(terms, intervals) {
    let total = ZERO_FRACTION;
    for (const [j, c] of terms) {
      const end = intervals.get(j)[c.sign > 0 ? 0 : 1];
      if (!Number.isFinite(end)) return null;
      total = total.plus(c.times(Fraction.of(end)));
    }
    return total;
  }

  /* Fourier and Motzkin: have the rows a common solution within the intervals? */
  function isFeasible(rows, intervals, effort) {
    const left = new Map();
    const keep = ({ terms, most, strict }) => {
      if (!terms.length) return most.sign > 0 || (most.sign === 0 && !strict);
      const size = terms[0][1].size;
      const scaledTerms = terms.map(([j, c]) => [j, c.by(size)]);
      const bound = most.by(size);
      const key = scaledTerms.map(([j, c]) => `${j}*${c.over}/${c.under}`).join("+");
      const known = left.get(key);
      const order = known === undefined ? -1 : bound.compare(known.most);
      if (order < 0 || (order === 0 && strict)) left.set(key, { terms: scaledTerms, most: bound, strict });
      return true;
    };
    const variables = new Set();
    for (const row of rows) {
      if (!keep(row)) return false;
      row.terms.forEach(([j]) => variables.add(j));
    }
    for (const j of variables) {
      const [low, high] = intervals.get(j);
      if (Number.isFinite(high)) keep({ terms: [[j, ONE]], most: Fraction.of(high), strict: false });
      if (Number.isFinite(low)) keep({ terms: [[j, ONE.negated()]], most: Fraction.of(low).negated(), strict: false });
    }
    const coefficient = (row, j) => row.terms.find(([i]) => i === j)?.[1];
    while (variables.size) {
      let best = null;
      for (const j of variables) {
        const [above, below] = [[], []];
        for (const [key, row] of left) {
          const sign = coefficient(row, j)?.sign ?? 0;
          if (sign) (sign > 0 ? above : below).push([key, row]);
        }
        const size = above.length * below.length;
        if (best === null || size < best.size || (size === best.size && j < best.j)) best = { j, above, below, size };
      }
      const { j, above, below, size } = best;
      variables.delete(j);
      if (size + left.size > 20_000) reject("effort", "relations over numbers have too many variables in common");
      effort.spend(20 * (1 + left.size + size) * (1 + variables.size));
      for (const [key] of [...above, ...below]) left.delete(key);
      for (const [, up] of above) {
        for (const [, down] of below) {
          const [one, two] = [coefficient(down, j).negated(), coefficient(up, j)];
          const total = new Map(up.terms.map(([i, c]) => [i, c.times(one)]));
          for (const [i, c] of down.terms) total.set(i, (total.get(i) ?? ZERO_FRACTION).plus(c.times(two)));
          const terms = [...total].filter(([, c]) => c.sign).sort((a, b) => a[0] - b[0]);
          const row = { terms, most: up.most.times(one).plus(down.most.times(two)), strict: up.strict || down.strict };
          if (!keep(row)) return false;
        }
      }
    }
    return true;
  }

  function* atoms(formula, kind) {
    if (formula.kind === kind) yield formula;
    for (const part of formula.parts ?? (formula.part ? [formula.part] : [])) yield* atoms(part, kind);
  }

  const withMask = (box, j, mask) => box.map((old, i) => (i === j ? mask : old));
  const signed = (condition, sums) => condition.signs.reduce((total, [k, sign]) => total + sign * sums[k], 0n);

  class Boxes extends Reach {
    constructor(statement) {
      super();
      this.statement = statement;
      this.effort = statement.effort;
      this.formula = { kind: "and", parts: statement.relations };
      const fine = new Set();
      for (const atom of atoms(this.formula, "row")) atom.terms.forEach(([j]) => fine.add(j));
      for (const atom of atoms(this.formula, "count")) atom.features.forEach((j) => fine.add(j));
      this.all = [];
      this.may = [];
      this.own = [];
      statement.row.forEach((_, j) => this.cut(j, fine.has(j)));
      this.hulls = new Map();
      this.alternatives = [];
      const { rule } = statement;
      if (rule instanceof Compared) {
        const parts = this.parts(rule);
        this.alternatives = rule
          .alternatives(statement.decision, statement.target)
          .map((conditions) => new Alternative(conditions, parts, statement, this.all));
      }
    }

    cut(j, finely) {
      const { statement } = this;
      const [own, domain, choices, number] = [statement.row[j], statement.domains[j], statement.choices[j], statement.numbers[j]];
      const point = number === null ? null : [number, number];
      if (choices === null) {
        const pieces = [{ code: own, numbers: point }, ...statement.spans[j].map((numbers) => ({ code: null, numbers }))];
        this.all.push(pieces);
        this.own.push(1n);
        this.may.push(bit(pieces.length) - 1n);
        return;
      }
      const pieces = [];
      let may = choices;
      for (let code = 0; code < domain.size; code++) {
        this.effort.spend(2);
        const cell = finely ? domain.interval(code) : null;
        const inside = cell && domain.hasNumbers && choices & bit(code) ? statement.pieces(j, cell) : [];
        pieces.push({ code, numbers: code === own ? point : (inside[0] ?? cell) });
      }
      for (const code of finely && domain.hasNumbers ? bits(choices) : []) {
        const cell = domain.interval(code);
        for (const numbers of cell ? statement.pieces(j, cell).slice(code === own ? 0 : 1) : []) {
          may |= bit(pieces.length);
          pieces.push({ code, numbers });
        }
      }
      this.all.push(pieces);
      this.may.push(may);
      this.own.push(bit(own));
    }

    parts(rule) {
      const finer = (leaf) => ({
        scores: leaf.scores,
        box: leaf.box.map(([j, mask]) => {
          let found = mask;
          for (let i = this.statement.sizes[j]; i < this.all[j].length; i++) {
            if (mask & bit(this.all[j][i].code)) found |= bit(i);
          }
          return [j, found];
        }),
      });
      if (rule instanceof Trees) return rule.trees.map((tree) => tree.map(finer));
      return rule.sizes.flatMap((size, j) => {
        if (size === null) return [];
        this.effort.spend(1024 * size);
        const scores = (code) => Array.from({ length: rule.nSums }, (_, k) => rule.part(j, code, k));
        return [Array.from({ length: size }, (_, code) => finer({ scores: scores(code), box: [[j, bit(code)]] }))];
      });
    }

    flips(features) {
      const start = this.may.map((may, j) => (features & bit(j) ? may : this.own[j]));
      const waiting = [[start, new Map()]];
      while (waiting.length) {
        const [box, assumed] = waiting.pop();
        this.effort.spend(10 + box.length);
        const truth = this.truth(this.formula, box, assumed);
        if (truth === false || !this.fits(box, assumed)) continue;
        if (truth) {
          if (this.reaches(box, assumed)) return true;
        } else if (this.mayReach(box)) waiting.push(...this.branches(this.open(box, assumed), box, assumed));
      }
      return false;
    }

    /* true: it holds in all of the box; false: in no row of it; null: it is open. */
    truth(formula, box, assumed) {
      this.effort.spend(10);
      if (formula.kind === "and" || formula.kind === "or") {
        const decided = formula.kind === "or";
        let open = false;
        for (const part of formula.parts) {
          const found = this.truth(part, box, assumed);
          if (found === decided) return decided;
          open ||= found === null;
        }
        return open ? null : !decided;
      }
      if (formula.kind === "not") {
        const inner = this.truth(formula.part, box, assumed);
        return inner === null ? null : !inner;
      }
      if (formula.kind === "is") {
        const inside = box[formula.feature] & this.maskOf(formula.feature, formula.codes);
        return inside === box[formula.feature] ? true : inside ? null : false;
      }
      if (formula.kind === "count") {
        const never = formula.features.filter((j) => !(box[j] & this.own[j])).length;
        const maybe = formula.features.filter((j) => box[j] & ~this.own[j]).length;
        return maybe <= formula.most ? true : never > formula.most ? false : null;
      }
      if (formula.kind === "likely") {
        const [low, high] = this.likely(formula, box).ends.reduce(([a, b], [c, d]) => [a + c, b + d], [0n, 0n]);
        return low >= formula.least ? true : high < formula.least ? false : null;
      }
      return assumed.has(formula.key) ? assumed.get(formula.key).holds : this.comparison(formula, box);
    }

    /* By feature, the cells in a box; and the least and the greatest of its term. */
    likely({ cells, parents, terms }, box) {
      const own = box.map((mask, j) => {
        this.effort.spend(this.all[j].length);
        return [...new Set([...bits(mask)].map((i) => cells[j][this.all[j][i].code]))];
      });
      const ends = terms.map((lines, j) => {
        const some = parents[j] === null ? [0] : own[parents[j]];
        this.effort.spend(some.length * own[j].length);
        const found = some.flatMap((line) => own[j].map((cell) => lines[line][cell]));
        return found.reduce(([low, high], x) => [x < low ? x : low, x > high ? x : high], [found[0], found[0]]);
      });
      return { own, ends };
    }

    comparison(atom, box) {
      const intervals = new Map();
      for (const [j] of atom.terms) {
        const hull = this.hull(j, box[j]);
        if (hull === null) return true;
        intervals.set(j, hull);
      }
      const [low, high] = [least(atom.terms, intervals), least(opposite(atom).terms, intervals)];
      const [below, above] = [low?.compare(atom.most), high?.negated().compare(atom.most)];
      if (low !== null && (below > 0 || (below === 0 && atom.strict))) return false;
      if (high !== null && (above < 0 || (above === 0 && !atom.strict))) return true;
      return null;
    }

    maskOf(j, codes) {
      this.effort.spend(this.all[j].length);
      return this.all[j].reduce((mask, piece, i) => (codes.has(piece.code) ? mask | bit(i) : mask), 0n);
    }

    hull(j, mask) {
      const key = `${j} ${mask}`;
      if (!this.hulls.has(key)) {
        let [low, high] = [Infinity, -Infinity];
        for (const i of bits(mask)) {
          const { numbers } = this.all[j][i];
          if (numbers) [low, high] = [Math.min(low, numbers[0]), Math.max(high, numbers[1])];
        }
        this.hulls.set(key, low <= high ? [low, high] : null);
      }
      return this.hulls.get(key);
    }

    fits(box, assumed, further = []) {
      const rows = [...[...assumed.values()].map(({ atom, holds }) => (holds ? atom : opposite(atom))), ...further];
      if (!rows.length) return true;
      const intervals = new Map();
      for (const row of rows) for (const [j] of row.terms) intervals.set(j, this.hull(j, box[j]) ?? [-Infinity, Infinity]);
      return isFeasible(rows, intervals, this.effort);
    }

    open(box, assumed) {
      let { formula } = this;
      while (formula.parts || formula.part) {
        formula = (formula.parts ?? [formula.part]).find((part) => this.truth(part, box, assumed) === null);
      }
      return formula;
    }

    branches(atom, box, assumed) {
      if (atom.kind === "row") {
        return [false, true].map((holds) => [box, new Map(assumed).set(atom.key, { atom, holds })]);
      }
      let j, mask;
      if (atom.kind === "is") [j, mask] = [atom.feature, this.maskOf(atom.feature, atom.codes)];
      else if (atom.kind === "likely") {
        const { own, ends } = this.likely(atom, box);
        const span = (i) => ends[i][1] - ends[i][0];
        const widest = own.reduce((best, _, i) => (span(i) > span(best) ? i : best), 0);
        j = own[widest].length > 1 ? widest : atom.parents[widest];
        const cell = Math.min(...own[j]);
        mask = this.maskOf(j, new Set(atom.cells[j].flatMap((of, code) => (of === cell ? [code] : []))));
      } else {
        j = atom.features.find((i) => box[i] & this.own[i] && box[i] & ~this.own[i]);
        mask = this.own[j];
      }
      return [[withMask(box, j, box[j] & ~mask), assumed], [withMask(box, j, box[j] & mask), assumed]];
    }

    mayReach(box) {
      if (!this.alternatives.length) return this.walks(box);
      return this.alternatives.some((alternative) => alternative.bound(alternative.within(box), box));
    }

    reaches(box, assumed) {
      if (this.alternatives.length) return this.alternatives.some((one) => this.search(one, box, assumed));
      const waiting = [box];
      while (waiting.length) {
        const some = waiting.pop();
        if (!this.fits(some, assumed) || !this.walks(some)) continue;
        const halves = this.halves(some, assumed);
        if (halves === null) return true;
        waiting.push(...halves);
      }
      return false;
    }

    walks(box) {
      const { nodes, root, sink } = this.statement.rule.goal(this.statement.decision, this.statement.target);
      this.effort.spend(nodes.length + 10);
      const codes = box.map((mask, j) => [...bits(mask)].map((i) => this.all[j][i].code));
      const here = new Uint8Array(nodes.length + 2);
      here[root] = 1;
      for (let number = root; number > 1; number--) {
        if (here[number]) for (const code of codes[nodes[number - 2].feature]) here[nodes[number - 2].children[code]] = 1;
      }
      return here[sink] === 1;
    }

    halves(box, assumed) {
      const features = new Set(this.statement.sizes.flatMap((size, j) => (size === null ? [j] : [])));
      for (const { atom } of assumed.values()) atom.terms.forEach(([j]) => features.add(j));
      for (const j of [...features].sort((a, b) => a - b)) {
        const places = [...bits(box[j])];
        if (places.length < 2) continue;
        const lower = places.slice(0, places.length >> 1).reduce((mask, i) => mask | bit(i), 0n);
        return [withMask(box, j, box[j] & ~lower), withMask(box, j, lower)];
      }
      return null;
    }

    search(alternative, box, assumed) {
      this.effort.spend(alternative.whole);
      const waiting = [[[box, () => alternative.within(box)]]];
      while (waiting.length) {
        const some = waiting.at(-1).shift();
        if (some === undefined) {
          waiting.pop();
          continue;
        }
        const [here, make] = some;
        const parts = make();
        this.effort.spend(10 + here.length);
        if (!alternative.bound(parts, here) || !this.fits(here, assumed)) continue;
        const isMet = (alternative.exact && !assumed.size) || alternative.isMet(parts, here);
        const leaves = isMet ? null : alternative.widest(parts, here);
        if (leaves !== null) {
          waiting.push(
            leaves.reverse().map((leaf) => {
              const inside = [...here];
              for (const [j, mask] of leaf.box) inside[j] &= mask;
              const changed = leaf.box.flatMap(([j]) => (inside[j] === here[j] ? [] : [j]));
              return [inside, () => alternative.narrowed(parts, inside, changed)];
            }),
          );
          continue;
        }
        if (!isMet && !this.fits(here, assumed, alternative.rows(parts, here))) continue;
        const halves = this.halves(here, assumed);
        if (halves === null) return true;
        waiting.push(halves.map((half) => [half, () => alternative.within(half)]));
      }
      return false;
    }
  }

  class Alternative {
    constructor(conditions, parts, statement, pieces) {
      const { rule } = statement;
      this.conditions = conditions;
      this.pieces = pieces;
      this.effort = statement.effort;
      this.exact = rule instanceof Additive && conditions.length === 1;
      this.base = conditions.map((condition) => {
        const bias = rule instanceof Additive ? signed(condition, rule.bias) : 0n;
        return bias - (condition.bound > statement.doubt ? condition.bound : statement.doubt);
      });
      // By part its leaves, the one with the best score in the first condition first; and the features it looks at.
      this.parts = parts.map((part) =>
        part
          .map((leaf) => ({ scores: conditions.map((condition) => signed(condition, leaf.scores)), box: leaf.box }))
          .sort((a, b) => (a.scores[0] > b.scores[0] ? -1 : a.scores[0] < b.scores[0] ? 1 : 0)),
      );
      this.tested = parts.map((part) => new Set(part.flatMap((leaf) => leaf.box.map(([j]) => j))));
      this.rule = rule;
      this.lines = statement.sizes.flatMap((size, j) => (size === null ? [j] : []));
      this.known = new Map();
      this.whole = this.parts.reduce((sum, part) => sum + part.length, 0);
    }

    within(box) {
      this.effort.spend(this.whole);
      return this.parts.map((part) => part.filter((leaf) => leaf.box.every(([j, mask]) => box[j] & mask)));
    }

    /* Those of some leaves that rows of a smaller box reach; it is smaller in these features. */
    narrowed(parts, box, changed) {
      const smaller = new Set(changed);
      return parts.map((part, i) => {
        if (!changed.some((j) => this.tested[i].has(j))) return part;
        this.effort.spend(part.length);
        return part.filter((leaf) => leaf.box.every(([j, mask]) => !smaller.has(j) || box[j] & mask));
      });
    }

    margins(i, j, mask) {
      const key = `${i} ${j} ${mask}`;
      if (!this.known.has(key)) {
        const found = [...bits(mask)].flatMap((at) => {
          const { code, numbers } = this.pieces[j][at];
          const codes = code === null ? bestCodes(this.rule, j, numbers, this.conditions[i]) : [code];
          return codes.map((one) => this.rule.margin(j, one, this.conditions[i]));
        });
        this.known.set(key, [found.reduce((a, b) => (a < b ? a : b)), found.reduce((a, b) => (a > b ? a : b))]);
      }
      return this.known.get(key);
    }

    ends(i, parts, box) {
      let [low, high] = [this.base[i], this.base[i]];
      for (const part of parts) {
        let [worst, best] = [part.at(-1).scores[i], part[0].scores[i]];
        for (const { scores } of i ? part : []) {
          if (scores[i] < worst) worst = scores[i];
          if (scores[i] > best) best = scores[i];
        }
        low += worst;
        high += best;
      }
      for (const j of this.lines) {
        const [worst, best] = this.margins(i, j, box[j]);
        low += worst;
        high += best;
      }
      return [low, high];
    }

    bound(parts, box) {
      return this.base.every((_, i) => this.ends(i, parts, box)[1] >= 0n);
    }

    isMet(parts, box) {
      return this.base.every((_, i) => this.ends(i, parts, box)[0] >= 0n);
    }

    widest(parts, box) {
      const open = this.base.flatMap((_, i) => (this.ends(i, parts, box)[0] < 0n ? [i] : []));
      let [widest, span] = [null, 0n];
      for (const part of parts) {
        for (const i of open) {
          let [low, high] = [part.at(-1).scores[i], part[0].scores[i]];
          for (const { scores } of i ? part : []) {
            if (scores[i] < low) low = scores[i];
            if (scores[i] > high) high = scores[i];
          }
          if (high - low > span) [widest, span] = [part, high - low];
        }
      }
      if (widest === null) return null;
      const total = (leaf) => open.reduce((sum, i) => sum + leaf.scores[i], 0n);
      return [...widest].sort((a, b) => (total(a) < total(b) ? -1 : total(a) > total(b) ? 1 : 0));
    }

    rows(parts, box) {
      return this.conditions.flatMap((condition, i) => {
        let total = this.ends(i, parts, box)[1];
        const terms = [];
        for (const j of this.lines) {
          const [square, line] = this.rule.polynomial(j, condition);
          if (square.sign || !line.sign || [...bits(box[j])].some((at) => this.pieces[j][at].numbers === null)) continue;
          total += 1n - this.margins(i, j, box[j])[1];
          terms.push([j, line.negated()]);
        }
        return terms.length ? [{ terms, most: new Fraction(total), strict: false }] : [];
      });
    }
  }

  function reachOf(statement) {
    const { rule } = statement;
    if (!statement.relations.length) {
      if (rule instanceof Diagrams) return new Walk(statement);
      const goals = rule.alternatives(statement.decision, statement.target);
      if (rule instanceof Additive && goals.every((conditions) => conditions.length === 1)) return new Gains(statement);
    }
    return new Boxes(statement);
  }

  // --- partitions -------------------------------------------------------------------------------------------------------

  const FINE = 32n;
  const ANY = [-Infinity, Infinity];
  const floorOf = (fraction) => (fraction.times(new Fraction(1n << FINE))).floor();

  /* What the values of a feature in a box cost, in units of 2^-32, rounded down; and the codes that are possible. */
  class Prices {
    constructor(statement, j, part) {
      const { effort } = statement;
      this.cost = statement.costs[j];
      this.own = statement.numbers[j];
      this.of = new Map();
      this.ofSpans = [];
      const domain = statement.domains[j];
      effort.spend(20 + 10 * part.spans.length);
      for (const code of bits(part.labels)) {
        effort.spend(10);
        this.of.set(code, this.label(code));
      }
      for (const span of part.spans) {
        const paid = this.distance(span);
        if (domain.line !== null) {
          this.ofSpans.push(paid ?? this.label(0));
          continue;
        }
        const [first, last] = span.map((end) =>
          domain.codeOf(Number.isFinite(end) ? end : Math.sign(end) * Number.MAX_VALUE, "a number"),
        );
        for (let code = first; code <= last; code++) {
          effort.spend(10);
          const cell = domain.interval(code);
          const inside = [Math.max(cell[0], span[0]), Math.min(cell[1], span[1])];
          const dear = paid === null ? this.label(code) : this.distance(inside);
          if (!this.of.has(code) || dear < this.of.get(code)) this.of.set(code, dear);
        }
      }
      this.least = null;
      for (const paid of [...this.of.values(), ...this.ofSpans]) {
        if (this.least === null || paid < this.least) this.least = paid;
      }
      this.least ??= 0n;
      if (part.own && domain.line === null) this.of.set(statement.row[j], 0n);
      this.mask = 0n;
      for (const code of this.of.keys()) this.mask |= bit(code);
    }

    label(code) {
      const { cost } = this;
      return (typeof cost === "bigint" ? cost : Array.isArray(cost) ? cost[code] : cost.other) << FINE;
    }

    /* The least that a number of a range costs; null where that is no distance. */
    distance([low, high]) {
      const { cost, own } = this;
      if (typeof cost === "bigint" || Array.isArray(cost)) return null;
      if (own === null) return cost.other << FINE;
      const near = Math.min(Math.max(own, low), high);
      return floorOf(Fraction.of(near).minus(Fraction.of(own)).size.times(cost.each));
    }
  }

  /* Proofs that split all rows into boxes. A part of a box, by feature: may it keep its value; the labels that it may
   * become, as a mask; the ends of the numbers that it may become, and their ranges. */
  class Partition {
    constructor(statement) {
      this.statement = statement;
      this.effort = statement.effort;
      this.bound = statement.least === null ? null : statement.least.times(new Fraction(1n << FINE)).ceil();
      if (statement.costs.some((cost) => Array.isArray(cost) && cost.some((one) => one < 0n))) {
        reject("form", "a proof by boxes is for costs of at least 0");
      }
      this.known = new Map();
      this.kept = 0;
      this.goals = [];
      const { rule } = statement;
      if (!(rule instanceof Compared)) return;
      let parts;
      if (rule instanceof Trees) parts = rule.trees;
      else {
        parts = rule.sizes.flatMap((size, j) => {
          if (size === null) return [];
          this.effort.spend(16 * size);
          const scores = (code) => Array.from({ length: rule.nSums }, (_, k) => rule.part(j, code, k));
          return [Array.from({ length: size }, (_, code) => ({ scores: scores(code), box: [[j, bit(code)]] }))];
        });
      }
      const shares = statement.features.map((_, j) => {
        const count = parts.filter((part) => part.some((leaf) => leaf.box.some(([i]) => i === j))).length;
        return BigInt(Math.max(1, count));
      });
      for (const conditions of rule.alternatives(statement.decision, statement.target)) {
        const base = conditions.map((condition) => {
          const bias = rule instanceof Additive ? signed(condition, rule.bias) : 0n;
          return bias - (condition.bound > statement.doubt ? condition.bound : statement.doubt);
        });
        const own = parts.map((part) =>
          part.map((leaf) => ({ scores: conditions.map((condition) => signed(condition, leaf.scores)), box: leaf.box })),
        );
        let size = 0;
        for (const part of own) for (const leaf of part) size += 1 + conditions.length + 2 * leaf.box.length;
        this.goals.push({ conditions, base, parts: own, shares, size });
      }
    }

    /* Have steps used the listed sets? They must be right, and leave no box. */
    check(steps) {
      const waiting = [this.whole()];
      let used = false;
      for (const step of steps) {
        if (!waiting.length) reject("complete", "a step of the proof has no box left");
        const box = waiting.pop();
        this.effort.spend(10 + box.length + 16 * box.reduce((sum, part) => sum + part.spans.length, 0));
        if (Array.isArray(step) && step.length === 2) {
          const [first, second] = this.split(box, step);
          waiting.push(second, first);
          if (waiting.length * box.length > MOST_WAITING) reject("effort", "too many boxes are put aside at once");
          continue;
        }
        let closed;
        if (step === null) closed = this.isDear(box);
        else if (Array.isArray(step)) {
          const [at] = items(step, "a step", (i) => small(i, "a step", 0, this.statement.sets.length), 1);
          closed = this.isCovered(box, at);
          used = true;
        } else closed = !this.mayReach(box, integer(step, "a step", 0n));
        if (!closed) reject("complete", "a step of the proof does not follow");
      }
      if (waiting.length) reject("complete", "the proof does not look at all rows");
      return used;
    }

    whole() {
      const { statement } = this;
      if (statement.regions !== null) {
        return statement.regions.map(({ labels, spans }) => ({ own: false, labels, ends: ANY, spans }));
      }
      return statement.domains.map((domain, j) => {
        const choices = statement.choices[j];
        const cells = bit(domain.cells) - 1n;
        const labels = choices === null ? 0n : choices & ~cells & ~bit(statement.row[j]);
        return { own: true, labels, ends: ANY, spans: this.spans(j, ANY) };
      });
    }

    /* The numbers between two that feature j may become. */
    spans(j, ends) {
      const { statement } = this;
      if (!statement.domains[j].hasNumbers) return [];
      this.effort.spend(2 + 4 * statement.spans[j].length);
      const own = statement.numbers[j];
      return statement.pieces(j, ends).filter(([low, high]) => !(low === own && high === own));
    }

    split(box, [feature, at]) {
      const { statement } = this;
      const j = small(feature, "a split", 0, box.length);
      const part = box[j];
      const own = statement.numbers[j];
      let first, second;
      if (at === "own") {
        first = { own: part.own, labels: 0n, ends: part.ends, spans: [] };
        second = { ...part, own: false };
      } else if (Array.isArray(at)) {
        let listed = 0n;
        this.effort.spend(1 + at.length);
        const domain = statement.domains[j];
        for (const label of items(at, "a split", labelOf)) {
          if (domain.line !== null || (domain.hasNumbers && isNumber(label))) reject("form", "a split by labels lists labels");
          listed |= bit(domain.codeOf(label, "a split"));
        }
        const keeps = statement.row[j] !== MISSING && Boolean(listed & bit(statement.row[j]));
        first = { own: part.own && keeps, labels: part.labels & listed, ends: part.ends, spans: [] };
        second = { own: part.own && !keeps, labels: part.labels & ~listed, ends: part.ends, spans: part.spans };
      } else {
        const x = numberFrom(at);
        const low = [part.ends[0], Math.min(part.ends[1], nextAfter(x, -Infinity))];
        const high = [Math.max(part.ends[0], x), part.ends[1]];
        const below = own !== null && own < x;
        const inside = (ends) => {
          if (statement.regions !== null) {
            this.effort.spend(512 * part.spans.length);
            return meet(part.spans, [ends]);
          }
          return part.spans.length ? this.spans(j, ends) : [];
        };
        first = { own: part.own && below, labels: 0n, ends: low, spans: inside(low) };
        second = { own: part.own && !below, labels: part.labels, ends: high, spans: inside(high) };
      }
      return [first, second].map((half) => box.map((old, i) => (i === j ? half : old)));
    }

    prices(j, part) {
      this.effort.spend(1 + part.spans.length);
      const key = `${j} ${part.own} ${part.labels.toString(16)} ${part.spans.join(";")}`;
      if (!this.known.has(key)) {
        if (this.kept > MOST_KEPT) {
          this.known.clear();
          this.kept = 0;
        }
        const found = new Prices(this.statement, j, part);
        this.known.set(key, found);
        this.kept += 16 + found.of.size + 2 * part.spans.length;
      }
      return this.known.get(key);
    }

    cost(box) {
      return box.reduce((sum, part, j) => (part.own ? sum : sum + this.prices(j, part).least), 0n);
    }

    isDear(box) {
      const isEmpty = (part) => !part.own && !part.labels && !part.spans.length;
      if (box.some(isEmpty) || box.filter((part) => !part.own).length > this.statement.most) return true;
      return this.bound !== null && this.cost(box) >= this.bound;
    }

    isCovered(box, at) {
      const { statement } = this;
      return statement.sets[at].every((j, i) => {
        const part = box[j];
        if (part.own || statement.moves === null) return !part.own;
        const domain = statement.domains[j];
        const [now, own] = [domain.numberOf(statement.values[at][i]), statement.numbers[j]];
        if (domain.hasNumbers && now !== null) {
          if (part.labels) return false;
          if (!statement.moves.has(j) || own === null) return part.spans.every(([a, b]) => a === now && b === now);
          return part.spans.every(([low, high]) => (now > own ? now <= low : high <= now));
        }
        if (part.spans.length) return false;
        return [...bits(part.labels)].every((other) => statement.isBetween(j, statement.codes[at][i], other));
      });
    }

    mayReach(box, multiplier) {
      const { statement, bound } = this;
      if (box.some((part) => !part.own && !part.labels && !part.spans.length)) return false;
      if (statement.relations.some((relation) => this.truth(relation, box) === false)) return false;
      if (multiplier && bound === null) reject("form", "a multiplier needs a bound of the costs");
      const masks = box.map((part, j) => this.prices(j, part).mask);
      if (!(statement.rule instanceof Compared)) return this.walk(box, masks);
      return this.goals.some((goal) => {
        const totals = this.totals(goal, box, masks, multiplier);
        return totals.every((total) => (multiplier ? total > -multiplier * bound : total >= 0n));
      });
    }

    /* The cheapest way to the goal in a diagram. */
    walk(box, masks) {
      const { statement, bound } = this;
      const { nodes, root, sink } = statement.rule.goal(statement.decision, statement.target);
      const here = new Map([[root, bound === null ? 0n : this.cost(box)]]);
      for (let number = root; number > 1; number--) {
        if (!here.has(number)) continue;
        const { feature, children } = nodes[number - 2];
        this.effort.spend(4 + 2 * children.length);
        const prices = this.prices(feature, box[feature]);
        const free = box[feature].own || bound === null ? 0n : prices.least;
        for (const code of bits(masks[feature])) {
          const paid = here.get(number) + (bound === null ? 0n : prices.of.get(code) - free);
          const child = children[code];
          if (!here.has(child) || paid < here.get(child)) here.set(child, paid);
        }
      }
      return here.has(sink) && (bound === null || here.get(sink) < bound);
    }

    /* By condition, the most that its sum comes to, less the multiplier times costs, in units of 2^-32. */
    totals(goal, box, masks, multiplier) {
      this.effort.spend(goal.size * (multiplier ? 3 : 1));
      const totals = goal.base.map((base) => base << FINE);
      const paid = new Map();
      for (const part of goal.parts) {
        let best = null;
        for (const { scores, box: tests } of part) {
          let fee = 0n;
          let possible = true;
          for (const [j, mask] of tests) {
            const here = mask & masks[j];
            if (!here) {
              possible = false;
              break;
            }
            if (!multiplier) continue;
            const key = `${j} ${here}`;
            if (!paid.has(key)) paid.set(key, this.fee(goal, j, box[j], here, multiplier));
            fee += paid.get(key);
          }
          if (!possible) continue;
          const worth = scores.map((score) => (score << FINE) - fee);
          best = best === null ? worth : best.map((old, i) => (worth[i] > old ? worth[i] : old));
        }
        best.forEach((more, i) => (totals[i] += more));
      }
      this.statement.sizes.forEach((size, j) => {
        if (size !== null) return;
        goal.conditions.forEach((condition, i) => (totals[i] += this.mostOfLine(j, box[j], condition, multiplier)));
      });
      return totals;
    }

    fee(goal, j, part, mask, multiplier) {
      this.effort.spend(4);
      if (part.own && mask & bit(this.statement.row[j])) return 0n;
      const prices = this.prices(j, part);
      const paid = [...bits(mask)].map((code) => prices.of.get(code));
      return (multiplier * paid.reduce((a, b) => (a < b ? a : b))) / goal.shares[j];
    }

    /* The most that a line adds, less what its change costs; two units more, since terms are rounded. */
    mostOfLine(j, part, condition, multiplier) {
      const { rule, row, numbers } = this.statement;
      const own = numbers[j];
      const found = part.own ? [rule.margin(j, row[j], condition) << FINE] : [];
      const prices = this.prices(j, part);
      const most = (list) => list.reduce((a, b) => (a > b ? a : b));
      this.effort.spend(20 * part.spans.length);
      part.spans.forEach((span, i) => {
        const codes = bestCodes(rule, j, span, condition);
        const margins = codes.map((code) => rule.margin(j, code, condition));
        if (!multiplier) found.push(most(margins) << FINE);
        else if (rule.polynomial(j, condition)[0].sign || prices.distance(span) === null) {
          found.push(((most(margins) + 2n) << FINE) - multiplier * prices.ofSpans[i]);
        } else {
          const ends = codes.map((code, at) => [margins[at], numberOfCode(code)]);
          if (own !== null && span[0] < own && own < span[1]) ends.push([rule.margin(j, row[j], condition), own]);
          found.push(most(ends.map(([margin, x]) => ((margin + 2n) << FINE) - multiplier * prices.distance([x, x]))));
        }
      });
      return most(found);
    }

    /* true: a formula holds in all of the box; false: in no row of it; null: it is not clear. */
    truth(formula, box) {
      this.effort.spend(10);
      switch (formula.kind) {
        case "and":
        case "or": {
          const decided = formula.kind === "or";
          const found = formula.parts.map((part) => this.truth(part, box));
          return found.includes(decided) ? decided : found.includes(null) ? null : !decided;
        }
        case "not": {
          const inner = this.truth(formula.part, box);
          return inner === null ? null : !inner;
        }
        case "is":
          return this.isOneOf(box[formula.feature], formula.feature, formula.codes);
        case "count": {
          const never = formula.features.filter((j) => !box[j].own).length;
          const maybe = formula.features.filter((j) => box[j].labels || box[j].spans.length).length;
          return maybe <= formula.most ? true : never > formula.most ? false : null;
        }
        case "likely": {
          const own = box.map((part, j) => [...new Set([...bits(this.prices(j, part).mask)].map((code) => formula.cells[j][code]))]);
          let [low, high] = [0n, 0n];
          formula.terms.forEach((lines, j) => {
            const some = formula.parents[j] === null ? [0] : own[formula.parents[j]];
            this.effort.spend(1 + some.length * own[j].length);
            const found = some.flatMap((line) => own[j].map((cell) => lines[line][cell]));
            low += found.reduce((a, b) => (a < b ? a : b));
            high += found.reduce((a, b) => (a > b ? a : b));
          });
          return low >= formula.least ? true : high < formula.least ? false : null;
        }
        default:
          return this.comparison(formula, box);
      }
    }

    isOneOf(part, j, codes) {
      const { domains, row } = this.statement;
      if (domains[j].line !== null) {
        const missing = row[j] === MISSING && codes.has(MISSING);
        return !part.spans.length ? missing : part.own && missing ? null : false;
      }
      const { mask } = this.prices(j, part);
      let inside = 0n;
      for (const code of codes) inside |= mask & bit(code);
      return inside === mask ? true : inside ? null : false;
    }

    comparison(atom, box) {
      const intervals = new Map();
      for (const [j] of atom.terms) {
        const ends = this.numbersOf(j, box[j]).flat();
        if (!ends.length) return null;
        intervals.set(j, [ends.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))]);
      }
      const [low, high] = [least(atom.terms, intervals), least(opposite(atom).terms, intervals)];
      const [below, above] = [low?.compare(atom.most), high?.negated().compare(atom.most)];
      if (low !== null && (below > 0 || (below === 0 && atom.strict))) return false;
      return high !== null && (above < 0 || (above === 0 && !atom.strict)) ? true : null;
    }

    numbersOf(j, part) {
      const { numbers, domains } = this.statement;
      this.effort.spend(1 + 4 * part.spans.length);
      const own = numbers[j];
      const found = [...(part.own && own !== null ? [[own, own]] : []), ...part.spans];
      if (domains[j].cuts === null) {
        for (const code of bits(part.labels)) {
          const interval = domains[j].interval(code);
          if (interval) found.push(interval);
        }
      }
      return found;
    }
  }

  // --- hitting sets and sums ------------------------------------------------------------------------------------------

  function* hittingSets(edges, n, most, costs, budget, effort) {
    const ordered = [...edges].sort((a, b) => bitCount(a) - bitCount(b));
    const hitBy = Array.from({ length: n }, (_, j) => {
      const digits = ordered.map((edge) => (edge & bit(j) ? "1" : "0")).reverse();
      return digits.length ? BigInt("0b" + digits.join("")) : 0n;
    });
    const chosen = [];
    const waiting = [{ once: 0n, missed: bit(ordered.length) - 1n, candidates: bit(n) - 1n, tried: null, spare: budget }];
    while (waiting.length) {
      const frame = waiting.at(-1);
      effort.spend(10 + chosen.length);
      if (frame.tried === null) {
        if (!frame.missed) yield chosen.reduce((mask, j) => mask | bit(j), 0n);
        const first = frame.missed & -frame.missed;
        const edge = first ? ordered[bitLength(first) - 1] : 0n;
        frame.tried = chosen.length < most ? edge & frame.candidates : 0n;
        frame.candidates &= ~frame.tried;
      }
      if (!frame.tried) {
        waiting.pop();
        chosen.pop();
        continue;
      }
      const low = frame.tried & -frame.tried;
      frame.tried ^= low;
      const j = bitLength(low) - 1;
      const spare = budget === null ? null : frame.spare - costs[j];
      const once = (frame.once & ~hitBy[j]) | (frame.missed & hitBy[j]);
      if ((budget === null || spare >= 0n) && chosen.every((i) => once & hitBy[i])) {
        chosen.push(j);
        waiting.push({ once, missed: frame.missed & ~hitBy[j], candidates: frame.candidates, tried: null, spare });
        frame.candidates |= low;
      }
    }
  }

  function* flippingSets({ gains, lacks }, most, costs, budget, effort) {
    if (lacks <= 0n) {
      yield 0n;
      return;
    }
    const features = gains.flatMap((gain, j) => (gain > 0n ? [j] : []));
    features.sort((a, b) => (gains[a] > gains[b] ? -1 : gains[a] < gains[b] ? 1 : a - b));
    const total = [0n];
    for (const j of features) total.push(total.at(-1) + gains[j]);
    const chosen = [];
    const waiting = [{ place: 0, lacking: lacks, spare: budget }];
    while (waiting.length) {
      const frame = waiting.at(-1);
      effort.spend(10);
      const room = most - chosen.length;
      const { place, lacking } = frame;
      if (place === features.length || room < 1 || total[Math.min(place + room, features.length)] - total[place] < lacking) {
        waiting.pop();
        chosen.pop();
        continue;
      }
      frame.place++;
      const j = features[place];
      const spare = budget === null ? null : frame.spare - costs[j];
      if (budget !== null && spare < 0n) continue;
      if (gains[j] >= lacking) yield [...chosen, j].reduce((mask, i) => mask | bit(i), 0n);
      else {
        chosen.push(j);
        waiting.push({ place: place + 1, lacking: lacking - gains[j], spare });
      }
    }
  }

  /* Which of many sets are part of another one? */
  class Contained {
    constructor(sets, n, effort) {
      this.known = new Set(sets);
      this.everyone = bit(sets.length) - 1n;
      this.n = n;
      this.effort = effort;
      this.having = Array.from({ length: n }, (_, j) => {
        const digits = sets.map((set) => (set & bit(j) ? "1" : "0")).reverse();
        return digits.length ? BigInt("0b" + digits.join("")) : 0n;
      });
    }

    anyIn(features) {
      if (this.known.has(features)) return true;
      this.effort.spend(this.n);
      let others = 0n;
      for (let j = 0; j < this.n; j++) if (!(features & bit(j))) others |= this.having[j];
      return others !== this.everyone;
    }
  }

  // --- clausal proofs -------------------------------------------------------------------------------------------------

  class Prover {
    constructor(effort) {
      this.contradiction = false;
      this.effort = effort;
      this.clauses = [];
      this.numbers = new Map();
      this.watching = new Map();
      this.having = null;
      this.true = new Set();
      this.trail = [];
      this.fixed = 0;
      this.done = 0;
    }

    static key(literals) {
      return [...new Set(literals)].sort((a, b) => a - b).join();
    }

    add(given) {
      this.effort.spend(1 + given.length);
      const once = new Set(given);
      const clause = [...once];
      if (clause.some((literal) => once.has(-literal))) return;
      const number = this.clauses.push(clause) - 1;
      const key = Prover.key(clause);
      if (!this.numbers.has(key)) this.numbers.set(key, []);
      this.numbers.get(key).push(number);
      if (this.having !== null) this.enlist(number, clause);
      clause.sort((a, b) => this.true.has(-a) - this.true.has(-b));
      if (clause.length > 1) for (const literal of clause.slice(0, 2)) this.watch(literal, number);
      if (!clause.length || this.true.has(-clause[0])) this.contradiction = true;
      else if (clause.length === 1 || this.true.has(-clause[1])) {
        this.assume(clause[0]);
        if (!this.propagate()) this.contradiction = true;
        this.fixed = this.trail.length;
      }
    }

    watch(literal, number) {
      if (!this.watching.has(literal)) this.watching.set(literal, []);
      this.watching.get(literal).push(number);
    }

    enlist(number, clause) {
      for (const literal of clause) {
        if (!this.having.has(literal)) this.having.set(literal, []);
        this.having.get(literal).push(number);
      }
    }

    remove(given) {
      this.effort.spend(1 + 2 * given.length);
      const numbers = this.numbers.get(Prover.key(given)) ?? [];
      if (!numbers.length) return;
      const clause = this.clauses[numbers.at(-1)];
      const reason = (literal) =>
        this.true.has(literal) && clause.every((other) => other === literal || this.true.has(-other));
      if (clause.length < 2 || clause.some(reason)) return;
      this.clauses[numbers.pop()] = null;
    }

    follows(clause) {
      if (this.refuted(clause)) return true;
      if (!clause.length) return false;
      const [pivot] = clause;
      if (this.having === null) {
        this.having = new Map();
        this.clauses.forEach((one, number) => this.enlist(number, one ?? []));
      }
      return (this.having.get(-pivot) ?? []).every((number) => {
        const other = this.clauses[number];
        return other === null || this.refuted([...clause, ...other.filter((literal) => literal !== -pivot)]);
      });
    }

    refuted(clause) {
      this.effort.spend(clause.length + 1);
      const refuted = !clause.every((literal) => this.assume(-literal)) || !this.propagate();
      for (const literal of this.trail.splice(this.fixed)) this.true.delete(literal);
      this.done = this.fixed;
      return refuted;
    }

    assume(literal) {
      if (this.true.has(literal)) return true;
      if (this.true.has(-literal)) return false;
      this.true.add(literal);
      this.trail.push(literal);
      return true;
    }

    propagate() {
      while (this.done < this.trail.length) {
        const wrong = -this.trail[this.done++];
        const watchers = this.watching.get(wrong) ?? [];
        this.effort.spend(4 * watchers.length + 4);
        const kept = [];
        for (let place = 0; place < watchers.length; place++) {
          const clause = this.clauses[watchers[place]];
          if (clause === null) continue;
          if (clause[0] === wrong) [clause[0], clause[1]] = [clause[1], wrong];
          if (this.true.has(clause[0])) {
            kept.push(watchers[place]);
            continue;
          }
          const other = clause.findIndex((literal, i) => i > 1 && !this.true.has(-literal));
          if (other > 1) {
            [clause[1], clause[other]] = [clause[other], wrong];
            this.watch(clause[1], watchers[place]);
            continue;
          }
          kept.push(watchers[place]);
          if (!this.assume(clause[0])) {
            this.watching.set(wrong, [...kept, ...watchers.slice(place + 1)]);
            return false;
          }
        }
        this.watching.set(wrong, kept);
      }
      return true;
    }
  }

  function clausesOf(statement) {
    const { nodes, root, sink } = statement.rule.goal(statement.decision, statement.target);
    const { n } = statement;
    const found = [];
    const way = (here, to, unless) => {
      if (to.has(sink)) return;
      const further = [...to].filter((number) => number > 1).sort((a, b) => a - b);
      found.push([here, ...unless, ...further.map((number) => n + number - 1)]);
    };
    if (root < 2) {
      if (root !== sink) found.push([]);
    } else {
      found.push([n + root - 1]);
      const reached = new Set([root]);
      for (let number = root; number > 1; number--) {
        if (!reached.has(number)) continue;
        const { feature, children } = nodes[number - 2];
        const own = statement.row[feature];
        const others = children.filter((_, code) => code !== own && statement.choices[feature] & bit(code));
        const to = new Set([children[own], ...others]);
        to.forEach((child) => reached.add(child));
        way(-(n + number - 1), to, []);
        way(-(n + number - 1), new Set([children[own]]), [feature + 1]);
      }
    }
    for (const set of statement.sets) found.push(set.map((j) => -(j + 1)));
    if (statement.most < n) {
      statement.effort.spend(1024 * n * statement.most);
      const [first, most] = [n + nodes.length + 1, statement.most];
      for (let v = 1; v <= n; v++) {
        if (most === 0) {
          found.push([-v]);
          continue;
        }
        const row = first + (v - 1) * most;
        const before = row - most;
        found.push([-v, row]);
        if (v === 1) continue;
        for (let k = 0; k < most; k++) {
          found.push([-(before + k), row + k]);
          if (k + 1 < most) found.push([-v, -(before + k), row + k + 1]);
        }
        found.push([-v, -(before + most - 1)]);
      }
    }
    return found;
  }

  function checkProof(clauses, steps, effort) {
    const prover = new Prover(effort);
    clauses.forEach((clause) => prover.add(clause));
    for (const step of steps) {
      if (prover.contradiction) return;
      if (step[0] === 0) prover.remove(step.slice(1));
      else if (prover.follows(step)) prover.add(step);
      else reject("complete", "a step of the proof does not follow");
    }
    if (!prover.contradiction) reject("complete", "the proof does not end in a contradiction");
  }

  // --- the checks -----------------------------------------------------------------------------------------------------

  const PROOFS = {
    duality: ["kind", "reasons"], sums: ["kind"], clauses: ["kind", "steps"], boxes: ["kind", "steps"], none: ["kind"],
  };
  const maskOf = (features) => features.reduce((mask, j) => mask | bit(j), 0n);

  function checkValues(statement, at) {
    const { rule, decision, target } = statement;
    const [row, numbers] = [[...statement.row], [...statement.numbers]];
    statement.sets[at].forEach((j, i) => {
      const [value, code] = [statement.values[at][i], statement.codes[at][i]];
      if (!statement.mayBecome(j, value, code)) reject("values", `${statement.features[j]} must not become ${labelText(value)}`);
      row[j] = code;
      numbers[j] = statement.domains[j].numberOf(value);
    });
    const decided = rule.classOf(row);
    if (decided === decision || (target !== null && decided !== target)) {
      reject("values", "new values do not lead to the decision");
    }
    if (rule instanceof Numbers) {
      const wins = (condition) =>
        rule.reached(row, condition) >= (condition.bound > statement.doubt ? condition.bound : statement.doubt);
      if (!rule.alternatives(decision, target).some((conditions) => conditions.every(wins))) {
        reject("values", "new values win by less than the rule is in doubt");
      }
    }
    const changed = new Set(statement.sets[at]);
    if (!statement.relations.every((relation) => obeys(relation, row, numbers, changed))) {
      reject("values", "new values break a relation");
    }
  }

  function checkOrder(statement, sets, keys) {
    if (keys.some((key, i) => i && !before(keys[i - 1], key))) reject("order", "sets must come by cost, size and features");
    if (new Set(sets.map(String)).size < sets.length) reject("order", "a set comes twice");
    const { maxChanges, k } = statement;
    if (maxChanges !== null && sets.some((set) => set.length > maxChanges)) reject("order", "a set has too many changes");
    if (k !== null && sets.length > k) reject("order", "there are too many sets");
  }

  function checkClaim(statement, proof) {
    const { claim, maxChanges, most, n, k, sets } = statement;
    if ((claim === "listed") !== (proof === "none")) reject("form", "a complete list needs a proof, and no other does");
    if (claim === "all" && maxChanges !== null) reject("form", "all sets cannot be claimed with max_changes");
    if (claim === "up to" && most > (maxChanges ?? n)) reject("form", "more is claimed than was asked for");
    if (claim === "first" && (k !== sets.length || ["clauses", "boxes"].includes(proof) || statement.flatCosts === null)) {
      reject("form", "the first k sets need k sets, costs by feature, and a proof by reasons or sums");
    }
    if (claim === "cheapest" && (k !== sets.length || proof !== "boxes")) {
      reject("form", "the cheapest k sets need k sets, and a proof by boxes");
    }
  }

  function checkComplete(statement, reach, keys) {
    const kind = kindOf(statement.proof, PROOFS, "the proof");
    if (reach === null && kind !== "boxes" && kind !== "none") reject("form", "moves are proved by boxes");
    const [, given] = record(statement.proof, "proof", PROOFS[kind]);
    checkClaim(statement, kind);
    if (kind === "boxes") {
      statement.usesSets = new Partition(statement).check(items(given, "steps", same));
      return;
    }
    const { n, effort, claim } = statement;
    const most = statement.most < n ? statement.most : n;
    const last = claim === "first" ? keys.at(-1) : null;
    const costs = claim === "first" ? statement.flatCosts : Array(n).fill(1n);
    const budget = last === null ? null : last.cost;
    let found;
    if (kind === "none") return;
    if (kind === "duality") {
      const reasons = items(given, "reasons", (part) => indices(part, "reasons", n));
      const sorted = (a, b) => {
        for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] < b[i];
        return a.length < b.length;
      };
      if (reasons.some((reason, i) => i && !sorted(reasons[i - 1], reason))) reject("reasons", "reasons must be in order");
      const masks = reasons.map(maskOf);
      if (masks.some((mask) => reach.flips((bit(n) - 1n) & ~mask))) reject("reasons", "a reason does not force the decision");
      found = hittingSets(masks, n, most, costs, budget, effort);
    } else if (kind === "sums") {
      if (!(reach instanceof Gains)) reject("form", "a proof of kind sums is for rules that add up, without relations");
      found = (function* () {
        for (const alternative of reach.alternatives) yield* flippingSets(alternative, most, costs, budget, effort);
      })();
    } else {
      if (!(statement.rule instanceof Diagrams) || statement.relations.length) {
        reject("form", "a proof of kind clauses is for rules of diagrams, without relations");
      }
      const limit = 2 ** 50;
      const steps = items(given, "steps", (step) => items(step, "a step", (part) => small(part, "a step", -limit, limit)));
      checkProof(clausesOf(statement), steps, effort);
      return;
    }
    checkFound(found, statement.sets.map(maskOf), n, costs, last, effort);
  }

  /* No row of a region has the target, or can reach it. */
  function checkRegion(statement) {
    if (statement.reasons !== null || statement.sets.length || statement.claim !== "all") {
      reject("form", "of a region it is claimed that no row can reach the target, and nothing else");
    }
    if (kindOf(statement.proof, PROOFS, "the proof") !== "boxes") reject("form", "regions are proved by boxes");
    const [, steps] = record(statement.proof, "proof", PROOFS.boxes);
    new Partition(statement).check(items(steps, "steps", same));
  }

  /* By cost; none of the listed ones moves as far as another one, and all others do, or cost more. */
  function checkMoves(statement, keys) {
    const { sets, claim, maxChanges, k, reasons, effort } = statement;
    if (reasons !== null || claim === "first") {
      reject("form", "moves are claimed to be all, all up to a number or a cost, or just listed");
    }
    const dearer = (a, b) => asFraction(a.cost).compare(asFraction(b.cost)) > 0;
    if (keys.some((key, i) => i && dearer(keys[i - 1], key))) reject("order", "sets must come by cost");
    if (maxChanges !== null && sets.some((set) => set.length > maxChanges)) reject("order", "a set has too many changes");
    if (k !== null && sets.length > k) reject("order", "there are too many sets");
    sets.forEach((set, one) => {
      effort.spend(4 * (1 + set.length) * sets.length);
      if (!set.length || sets.some((_, two) => one !== two && statement.isNearer(one, two))) {
        reject("minimal", "a set moves as far as another one, which is listed, too");
      }
    });
    checkComplete(statement, null, keys);
  }

  /* Whatever is found must contain a listed set, unless it comes after the last. */
  function checkFound(found, masks, n, costs, last, effort) {
    const listed = new Contained(masks, n, effort);
    for (const mask of found) {
      if (listed.anyIn(mask)) continue;
      const features = [...bits(mask)];
      const key = { cost: features.reduce((sum, j) => sum + costs[j], 0n), features };
      if (last === null || before(key, last)) reject("complete", `nothing shows that ${features} is not missing`);
    }
  }

  /* Each reason forces the decision; without one of its features, a row of the proof is decided otherwise; and those
     that hit all sets of changes of the proof contain a listed reason. */
  function checkReasons(statement, reach) {
    const { reasons, n, claim, k, effort } = statement;
    const costs = statement.flatCosts;
    if (statement.proof.get("kind") !== "rows" || statement.maxChanges !== null || costs === null) {
      reject("form", "reasons are proved by rows, for any number of changes and costs by feature");
    }
    if (claim === "up to" || claim === "cheapest" || (claim === "first" && k !== reasons.length)) {
      reject("form", "all reasons may be claimed, or the first k of them, or none but those that are listed");
    }
    const [rows, masks] = [statement.sets.map(maskOf), reasons.map(maskOf)];
    for (const mask of masks) {
      effort.spend(1 + rows.length);
      let alone = 0n;
      for (const row of rows) {
        const common = row & mask;
        if (!(common & (common - 1n))) alone |= common;
      }
      if (alone !== mask) reject("minimal", "nothing shows that a reason could not do with fewer features");
    }
    const keys = reasons.map((features) => ({ cost: features.reduce((sum, j) => sum + costs[j], 0n), features }));
    checkOrder(statement, reasons, keys);
    if (masks.some((mask) => reach.flips((bit(n) - 1n) & ~mask))) reject("reasons", "a reason does not force the decision");
    if (claim === "listed") return;
    const last = claim === "first" ? keys.at(-1) : null;
    checkFound(hittingSets(rows, n, n, costs, last === null ? null : last.cost, effort), masks, n, costs, last, effort);
  }

  function reasonWords(statement, wanted) {
    const { reasons, nClasses, target, claim } = statement;
    const one = reasons.length === 1;
    const does = nClasses > 2 && target !== null ? `rule${one ? "s" : ""} out ${wanted}` : `force${one ? "s" : ""} it`;
    const sets = `${reasons.length} minimal set${one ? "" : "s"} of facts ${does}`;
    if (claim === "all") return `${sets}, and no others do`;
    if (claim === "first") return `${sets}, and none comes before the last of them by cost, size and features`;
    return `${sets}; whether there are others is not claimed`;
  }

  function words(statement) {
    const { classes, decision, target, n, most, claim } = statement;
    const count = statement.sets.length;
    let wanted = target === null ? "another decision" : `'${labelWords(classes[target])}'`;
    if (classes.length === 2) wanted = `'${labelWords(classes[1 - decision])}'`;
    if (statement.reasons !== null) {
      return { decision: labelWords(classes[decision]), said: reasonWords(statement, wanted) };
    }
    let sets = `${count} minimal set${count === 1 ? "" : "s"} of changes lead${count === 1 ? "s" : ""} to ${wanted}`;
    const size = most >= n ? "" : ` of at most ${most} features`;
    const moves = statement.moves !== null;
    if (moves) sets = `${count} way${count === 1 ? "" : "s"} to change it lead${count === 1 ? "s" : ""} to ${wanted}`;
    const asFar = moves ? "move at least as far" : "change the same features";
    const cost = statement.least === null ? null : statement.least.times(statement.unit);
    const least = cost === null ? "" : cost.isWhole ? String(cost.over) : doubleText(cost.toDouble());
    const claims = {
      all: moves ? `${sets}, and all others ${asFar} as one of them` : `${sets}, and no others do`,
      "up to": `${sets}; of those${size || " of any size"} there are no others`,
      first: `${sets}, and none${size} comes before the last of them by cost, size and features`,
      cheapest: `${sets}; all others${size} cost at least ${least}${statement.usesSets ? `, or ${asFar} as one of them` : ""}`,
      listed: `${sets}; whether there are others is not claimed`,
    };
    if (moves) claims["up to"] = `${sets}, and all others${size} ${asFar} as one of them`;
    const said = !count && claim !== "listed" ? `no set of changes${size} leads to ${wanted}` : claims[claim];
    return { decision: labelWords(classes[decision]), said };
  }

  /* The certificate in a row of a batch, which has to lead to the root. */
  function certificateIn(data) {
    const keys = ["format", "version", "root", "count", "row", "path", "certificate"];
    const [, version, root, count, row, path, certificate] = record(data, "a row of a batch", keys);
    if (version !== 1n) reject("version", `the row of a batch has version ${version}, and this page reads version 1`);
    if (!(certificate instanceof Map)) reject("form", "the row has no certificate");
    let last = integer(count, "count", 1n, bit(40)) - 1n;
    let place = integer(row, "row", 0n, last + 1n);
    const beside = items(path, "path", (part) =>
      typeof part === "string" && /^[0-9a-f]{64}$/.test(part) ? part : reject("form", "path must list hashes"),
    );
    let node = digest("leaf:" + canonical(certificate));
    let used = 0;
    for (; last; place >>= 1n, last >>= 1n) {
      if ((place ^ 1n) > last) continue;
      const other = beside[used++] ?? reject("batch", "the path is too short");
      node = digest("node:" + (place & 1n ? other + node : node + other));
    }
    if (used < beside.length) reject("batch", "the path is too long");
    if (root !== "sha256:" + digest(`root:${count}:${node}`)) reject("batch", "the certificate does not lead to the root");
    return certificate;
  }

  /* See the top of the file. */
  function check(text, steps = MOST_STEPS) {
    try {
      let data = parse(text);
      let batch = null;
      if (data.get("format") === "symcf batch row") {
        batch = data;
        data = certificateIn(data);
        batch = { root: batch.get("root"), row: Number(batch.get("row")), count: Number(batch.get("count")) };
      }
      const number = data.get("number");
      if (typeof number !== "string" || number !== numberOf(data)) {
        reject("number", "the number is not that of the content: something was changed");
      }
      const statement = new Statement(data, new Effort(steps));
      if (statement.isRegion) {
        checkRegion(statement);
        const wanted = labelWords(statement.classes[statement.target]);
        return {
          failed: null, problem: null, number, fingerprint: statement.fingerprint,
          proved: `no row of the region can reach '${wanted}', and none has it`,
          decision: null, within: statement.phrases, changes: [], reasons: [], batch,
        };
      }
      const { rule, decision, target, sets } = statement;
      if (rule.classOf(statement.row) !== decision) reject("decision", "the rule decides the row differently");
      if (target === decision) reject("decision", "the wanted decision is the one that was made");
      sets.forEach((_, at) => checkValues(statement, at));
      const { reasons, features } = statement;
      if (statement.moves !== null) checkMoves(statement, sets.map((_, at) => statement.key(at)));
      else if (reasons !== null) checkReasons(statement, reachOf(statement));
      else {
        const reach = reachOf(statement);
        if (sets.some((set) => !set.length || reach.shrinks(maskOf(set)))) reject("minimal", "a set could do with fewer features");
        const keys = sets.map((_, at) => statement.key(at));
        checkOrder(statement, sets, keys);
        checkComplete(statement, reach, keys);
      }
      const said = words(statement);
      const one = (j, value) => ({ feature: features[j], value: labelWords(value) });
      const changes = reasons !== null ? [] : sets.map((set, at) => set.map((j, i) => one(j, statement.values[at][i])));
      const row = data.get("row");
      const facts = reasons === null ? [] : reasons.map((reason) => reason.map((j) => one(j, row[j])));
      return {
        failed: null, problem: null, number, fingerprint: statement.fingerprint, proved: said.said,
        decision: said.decision, within: statement.phrases, changes, reasons: facts, batch,
      };
    } catch (error) {
      if (error instanceof Rejected) return { failed: error.failed, problem: error.message };
      if (error instanceof RangeError) return { failed: "effort", problem: "too large to check" };
      throw error;
    }
  }

  check.canonical = (text) => canonical(parse(text));
  return check;
})();

if (typeof module !== "undefined") module.exports = { checkCertificate };
