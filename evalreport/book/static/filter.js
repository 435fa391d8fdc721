// Long tables get a field that hides the rows which do not hold the typed words. Without script all rows show.
document.querySelectorAll("table[data-filter]").forEach(table => {
  const box = table.closest(".er-tablebox"), total = +table.dataset.filter;
  const rows = [...table.tBodies].flatMap(body => [...body.rows]).filter(row => !row.classList.contains("er-grouprow"));
  const texts = rows.map(row => row.textContent.toLowerCase());
  const form = document.createElement("div"), label = document.createElement("label");
  const field = document.createElement("input"), says = document.createElement("output");
  form.className = "er-filter";
  field.type = "search";
  field.id = `${box.id}-filter`;
  field.autocomplete = "off";
  label.htmlFor = says.htmlFor = field.id;
  label.textContent = "Filter rows";
  form.append(label, field, says);
  const count = n => n.toLocaleString("en");
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every(word => texts[at].includes(word));
      shown += !row.hidden;
    });
    for (const body of table.tBodies) {
      const group = body.querySelector(".er-grouprow");
      if (group) group.hidden = [...body.rows].every(row => row === group || row.hidden);
    }
    says.value = words.length ? `${count(shown)} of ${count(total)} rows` : `${count(total)} rows`;
  };
  field.addEventListener("input", show);
  field.addEventListener("keydown", event => {
    if (event.key === "Escape") { field.value = ""; show(); }
  });
  box.prepend(form);
  show();
});
