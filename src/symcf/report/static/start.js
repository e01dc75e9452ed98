/* Links to decisions, printing, and the start of all parts. */

/* Shows the decision that the address names: report.html#row=17. */
function follow(hash) {
  if (!hash.startsWith("#row=")) return;
  const row = rowOfLink(hash);
  if (!row) {
    at("found").textContent = "There is no such decision in this report.";
    at("rows").scrollIntoView();
    return;
  }
  if (whatif.works && row.status !== INVALID) whatif.load(row);
  list.go(row);
}

/* Paper has no folds and no pages to turn. It has the overview, and the decisions that match the filters only if somebody
 * asks for them: hundreds of decisions are hundreds of sheets. */
const printing = {
  folded: [],

  withRows: () => rows.length === 1 || at("print-rows").checked,

  before() {
    document.body.classList.toggle("overview-only", !this.withRows());
    if (this.withRows()) list.showAll();
    const all = [...document.querySelectorAll(this.withRows() ? "details" : "#summary details:not(#heat)")];
    this.folded = all.filter((details) => !details.open);
    all.forEach((details) => { details.open = true; fill(details); });
  },

  after() {
    this.folded.forEach((details) => { details.open = false; });
    list.show();
  },
};

whatif.start();
list.start();
if (rows.length) {
  compare.start();
  heat.start();
}
follow(location.hash);
window.addEventListener("hashchange", () => follow(location.hash));
window.addEventListener("beforeprint", () => printing.before());
window.addEventListener("afterprint", () => printing.after());

/* Within a notebook the page has no address of its own, and links would lead to the notebook's. */
if (location.protocol === "about:")
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    const hash = link.getAttribute("href");
    if (hash.startsWith("#row=")) follow(hash);
    else document.getElementById(hash.slice(1))?.scrollIntoView();
  });

/* For the tests, and for the curious. */
window.symcf = { data, makeEngine, engine: whatif.engine, rows, whatif };
