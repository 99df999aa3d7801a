"use strict";
(() => {
  const said = document.getElementById("said");
  const number = (text) => {
    const value = parseFloat(text.replace("−", "-").replace(/^[[<] ?/, "").replaceAll(",", ""));
    return Number.isNaN(value) ? null : value;
  };
  const text = (cell) => cell.dataset.key ?? cell.textContent.trim();
  const order = (a, b) => {
    const [x, y] = [number(a), number(b)];
    if (x !== null && y !== null) return x - y;
    return x === null && y === null ? a.localeCompare(b, "en") : x === null ? 1 : -1;
  };
  const sort = (table, column, head) => {
    const down = head.getAttribute("aria-sort") === "descending";
    for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [text(row.cells[column]), row]);
    rows.sort(([a], [b]) => {
      if (a === "–" || b === "–") return (a === "–") - (b === "–");
      return down ? order(a, b) : order(b, a);
    });
    body.append(...rows.map(([, row]) => row));
    said.textContent = `Sorted by ${head.textContent.trim()}, ${down ? "ascending" : "descending"}`;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, column, head));
      head.append(button);
    });
  }
  for (const place of document.querySelectorAll(".find")) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "search";
    label.append(place.dataset.label + " ", input);
    place.append(label);
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      let left = 0;
      for (const row of place.parentElement.querySelectorAll("tbody tr")) {
        const found = row.cells[0].textContent.toLowerCase().includes(wanted) ||
          row.cells[1].textContent.toLowerCase().startsWith(wanted);
        row.classList.toggle("away", !found);
        left += found;
      }
      said.textContent = `${left} rows`;
    });
  }
})();
