// What the search of the site shows first: headings, then exact names, then text; pages whose title has the words that
// were typed before others; guides before the reference.
// `var`, because the script of the site declares it again.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 4,
  objPrio: { 0: 0, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, title, , , score]) => {
    if (/^(api$|reference\/)/.test(page)) return score - 3;
    const typed = new URLSearchParams(window.location.search).get("q") || "";
    const words = typed.toLowerCase().split(/[^\w]+/).filter((word) => word.length > 3);
    const name = title.toLowerCase().split(" > ")[0];
    const named = words.filter((word) => name.includes(word.slice(0, 6))).length;
    return score + (words.length ? (6 * named) / words.length : 0);
  },
};
