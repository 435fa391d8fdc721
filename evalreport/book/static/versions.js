// On a published site: the list of versions becomes a choice, and an older version says that there is a newer one.
// Opened from a disk the list cannot be read, so the plain link stays.
(async () => {
  const box = document.querySelector("[data-versions]");
  if (!box || !location.protocol.startsWith("http")) return;
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const answer = await fetch(new URL(box.dataset.versions, root)).catch(() => null);
  if (!answer?.ok) return;
  const list = await answer.json().catch(() => []), here = box.dataset.version;
  const home = entry => new URL(entry.url, root);
  const label = document.createElement("label"), choice = document.createElement("select");
  label.textContent = "Version ";
  for (const entry of list) {
    const option = new Option(entry.name ?? entry.version, home(entry).href, false, entry.version === here);
    choice.append(option);
  }
  choice.addEventListener("change", () => { location.href = choice.value; });
  choice.setAttribute("aria-label", "Version of the book");
  label.append(choice);
  box.querySelector("span").replaceWith(label);
  const latest = list.find(entry => entry.preferred);
  if (!latest || latest.version === here) return;
  const banner = document.createElement("p"), link = document.createElement("a");
  banner.className = "er-banner";
  link.href = home(latest).href;
  link.textContent = `Version ${latest.version}`;
  banner.append(`This is version ${here}. `, link, " is the latest; the numbers here stay as they were.");
  document.querySelector(".bd-article")?.prepend(banner);
})();
