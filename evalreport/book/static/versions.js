// On a published site: the list of versions becomes a choice that keeps the page, and a version that is older or was
// withdrawn says so. Opened from a disk a page may load no file but a script, so the list stands beside it as one.
(async () => {
  const box = document.querySelector("[data-versions]");
  if (!box) return;
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const served = location.protocol.startsWith("http"), here = box.dataset.version;
  const address = new URL(box.dataset.versions, root);
  const loaded = () => new Promise(resolve => {
    const script = document.createElement("script");
    script.src = address.href.replace(/\.json$/, ".js");
    script.onload = () => resolve(window.evalreportVersions);
    script.onerror = () => resolve(undefined);
    document.head.append(script);
  });
  const fetched = async () => {
    const answer = await fetch(address).catch(() => null);
    return answer?.ok ? answer.json().catch(() => undefined) : undefined;
  };
  const list = await (served ? fetched() : loaded());
  if (!list) return;
  const home = entry => new URL(served ? "" : "index.html", new URL(entry.url, root));
  const page = location.href.split(/[?#]/)[0].slice(root.href.length);
  const has = async entry => served
    ? (await fetch(new URL(page, home(entry)), {method: "HEAD"}).catch(() => null))?.ok
    : entry.pages?.includes(decodeURI(page));
  const label = document.createElement("label"), choice = document.createElement("select");
  label.textContent = "Version ";
  for (const entry of list) {
    choice.append(new Option(entry.name ?? entry.version, home(entry).href, false, entry.version === here));
  }
  choice.addEventListener("change", async () => {
    const entry = list[choice.selectedIndex];
    location.href = page && await has(entry) ? new URL(page + location.hash, home(entry)) : home(entry);
  });
  choice.setAttribute("aria-label", "Version of the book");
  label.append(choice);
  box.querySelector("span").replaceWith(label);
  const own = list.find(entry => entry.version === here), latest = list.find(entry => entry.preferred);
  const withdrawn = own?.status === "withdrawn";
  const other = (withdrawn && list.find(entry => entry.version === own.superseded_by)) || latest;
  if (!withdrawn && (!latest || latest.version === here)) return;
  const banner = document.createElement("p"), link = document.createElement("a");
  banner.className = "er-banner";
  if (other) {
    link.href = home(other).href;
    link.textContent = `Version ${other.version}`;
  }
  if (withdrawn) {
    const loud = document.createElement("strong");
    loud.textContent = `Version ${here} was withdrawn on ${own.withdrawn_on}:`;
    banner.append(loud, ` ${own.why} `);
    if (other) banner.append(link, own.superseded_by ? " takes its place." : " is the latest.");
  } else {
    banner.append(`This is version ${here}. `, link, " is the latest; the numbers here stay as they were.");
  }
  (document.querySelector(".bd-article") ?? document.querySelector("main") ?? document.body).prepend(banner);
})();
