// Sortable tables. Rows stay inside their group, so ranked rows never mix with unranked ones; rows without a value
// come last, whichever way. Keys are exact: "17/40" is compared as a fraction, not as a rounded number.
(() => {
  const exact = text => {
    const found = /^(-?\d+)(?:\/(\d+))?$/.exec(text);
    return found && { top: BigInt(found[1]), bottom: BigInt(found[2] ?? 1) };
  };
  const compare = (a, b) => {
    if (a.number && b.number) {
      const left = a.number.top * b.number.bottom, right = b.number.top * a.number.bottom;
      return left < right ? -1 : left > right ? 1 : 0;
    }
    if (a.number || b.number) return a.number ? -1 : 1;
    return a.text.localeCompare(b.text, "en", { numeric: true }) || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
  };
  const keyOf = (row, column, at) => {
    const cell = row.cells[column], text = cell.dataset.v ?? cell.textContent.trim();
    return { row, at, text, number: exact(text), none: text === "" };
  };
  const sort = (table, heads, column, down) => {
    heads.forEach(head => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter(row => row.cells.length === heads.length);
      const keyed = rows.map((row, at) => keyOf(row, column, at));
      keyed.sort((a, b) => a.none - b.none || (a.none ? 0 : (down ? -1 : 1) * compare(a, b)) || a.at - b.at);
      body.append(...keyed.map(key => key.row));
    }
  };
  document.querySelectorAll("table.er-sortable").forEach(table => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if ("nosort" in head.dataset) return;
      const label = head.querySelector(".er-h"), button = document.createElement("button");
      button.type = "button";
      button.append(...label.childNodes);
      label.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort"), best = head.dataset.better === "higher";
        sort(table, heads, column, now ? now === "ascending" : best);
      });
    });
  });
})();
