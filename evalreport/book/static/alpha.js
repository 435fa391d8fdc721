// A reader tries other weights: rows that carry their values at weight 1 and at weight 0 are ranked again, exactly,
// with big integers, so that ties are ties. What it shows is marked as not published.
(() => {
  const fraction = text => {
    const [top, bottom = "1"] = text.split("/");
    return { top: BigInt(top), bottom: BigInt(bottom) };
  };
  const decimal = text => {
    const [whole, part = ""] = text.split(".");
    return { top: BigInt(whole + part), bottom: 10n ** BigInt(part.length) };
  };
  const blend = (weight, one, zero) => ({
    top: weight.top * one.top * zero.bottom + (weight.bottom - weight.top) * zero.top * one.bottom,
    bottom: weight.bottom * one.bottom * zero.bottom,
  });
  const order = (a, b) => {
    const left = a.top * b.bottom, right = b.top * a.bottom;
    return left < right ? -1 : left > right ? 1 : 0;
  };
  // Half to even on the exact value, as everywhere in the book.
  const fixed = (value, decimals) => {
    const sign = value.top < 0n ? "−" : "", scaled = (value.top < 0n ? -value.top : value.top) * 10n ** BigInt(decimals);
    let whole = scaled / value.bottom;
    const twice = 2n * (scaled % value.bottom);
    if (twice > value.bottom || (twice === value.bottom && whole % 2n)) whole += 1n;
    const digits = whole.toString().padStart(decimals + 1, "0");
    return (whole ? sign : "") + (decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits);
  };
  const element = (name, css, text) => {
    const made = document.createElement(name);
    made.className = css;
    made.textContent = text;
    return made;
  };
  const cursors = (figure) => {
    const art = figure?.querySelector(".er-art");
    return ["page", "column"].flatMap(size => {
      const axes = art?.dataset[`axes${size[0].toUpperCase()}${size.slice(1)}`]?.split(" ").map(Number);
      if (!axes) return [];
      const line = element("span", `er-cursor er-cursor-${size}`, "");
      line.style.top = `${axes[1] * 100}%`;
      line.style.height = `${axes[3] * 100}%`;
      art.append(line);
      return [{ line, axes }];
    });
  };

  const explore = box => {
    const table = document.getElementById(box.dataset.table)?.querySelector("table");
    const heads = table && [...table.tHead.rows[0].cells];
    const place = heads?.findIndex(head => "rank" in head.dataset), follows = heads?.findIndex(head => "explore" in head.dataset);
    if (!table || place < 0 || follows < 0) return;
    const [slider, out, back, says] = ["input", "output", "button", "[role=status]"].map(name => box.querySelector(name));
    const published = box.dataset.published, symbol = box.dataset.symbol, lines = cursors(document.getElementById(box.dataset.figure));
    const rows = [...table.tBodies[0].querySelectorAll("tr[data-one]")].map((row, at) => {
      const rank = row.cells[place], cell = row.cells[follows], number = cell.querySelector("a") ?? cell;
      return {
        row, at, rank, cell, number, text: number.textContent, kept: [...rank.childNodes], was: +rank.dataset.v,
        rankKey: rank.dataset.v, key: cell.dataset.v, one: fraction(row.dataset.one), zero: fraction(row.dataset.zero),
        decimals: (number.textContent.split(".")[1] ?? "").length,
      };
    });
    if (!rows.length) return;
    const reset = () => {
      for (const r of rows) {
        r.number.textContent = r.text;
        r.rank.replaceChildren(...r.kept);
        r.rank.dataset.v = r.rankKey;
        r.cell.dataset.v = r.key;
      }
      table.tBodies[0].append(...[...rows].sort((x, y) => x.was - y.was || x.at - y.at).map(r => r.row));
    };
    const tryOut = weight => {
      for (const r of rows) {
        r.value = blend(weight, r.one, r.zero);
        r.number.textContent = fixed(r.value, r.decimals);
        r.cell.dataset.v = `${r.value.top}/${r.value.bottom}`;
      }
      const ranked = [...rows].sort((x, y) => order(y.value, x.value) || x.at - y.at);
      let moved = 0;
      ranked.forEach((r, i) => {
        const above = ranked[i - 1], below = ranked[i + 1];
        const shares = other => other !== undefined && order(r.value, other.value) === 0;
        r.now = shares(above) ? above.now : i + 1;
        const by = r.was - r.now, parts = [];
        moved += by !== 0;
        if (by) parts.push(element("span", `er-move${by < 0 ? " down" : ""}`, `${by > 0 ? "▲" : "▼"}${Math.abs(by)}`));
        parts.push(element("span", "er-r", String(r.now)));
        if (shares(above) || shares(below)) parts.push(element("span", "er-tie", "="));
        r.rank.replaceChildren(...parts);
        r.rank.dataset.v = String(r.now);
      });
      table.tBodies[0].append(...ranked.map(r => r.row));
      return moved;
    };
    const show = () => {
      const home = Number(slider.value) === Number(published);
      const shown = home ? published : Number(slider.value).toFixed(Math.max(2, (published.split(".")[1] ?? "").length));
      out.value = shown;
      back.disabled = home;
      for (const { line, axes } of lines) {
        line.hidden = home;
        line.style.left = `${(axes[0] + Number(slider.value) * axes[2]) * 100}%`;
      }
      table.toggleAttribute("data-exploring", !home);
      table.querySelectorAll("[aria-sort]").forEach(head => head.removeAttribute("aria-sort"));
      if (home) {
        reset();
        says.textContent = "Published order.";
        return;
      }
      const moved = tryOut(decimal(shown));
      says.textContent = `Exploring, not published: at ${symbol} ${shown}, ${moved || "no"} version${moved === 1 ? " changes" : "s change"} rank. ` +
        `Intervals and unranked values belong to the published ${symbol} and are hidden.`;
    };
    slider.addEventListener("input", show);
    back.addEventListener("click", () => { slider.value = published; show(); slider.focus(); });
    box.hidden = false;
    show();
  };
  document.querySelectorAll(".er-explore").forEach(explore);
})();
