// What the search of the site shows first: headings, then exact names, then text; guides before the reference.
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
  score: ([page, , , , score]) => (/^(api$|reference\/)/.test(page) ? score - 3 : score),
};
