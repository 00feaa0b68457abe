"use strict";

// Posts that htmx makes carry the secret of this page.
document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-Secret"] = document.querySelector('meta[name="secret"]').content;
});

// An explorer that has ended is no error of the page: it tries again at the next tick.
document.addEventListener("htmx:sendError", (event) => event.stopPropagation());

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-switch]")) return;
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

const typing = (element) => element.matches("input:not([type=checkbox]), select, textarea");

// One key each: labels of the audit, steps to the next and last document.
const press = (key) => {
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (target) target.click();
  return Boolean(target);
};

// j and k go through the rows of a list, Enter opens one.
const move = (step) => {
  const rows = [...document.querySelectorAll("[data-row]")];
  if (!rows.length) return;
  const place = rows.indexOf(document.activeElement) + step;
  rows[Math.max(0, Math.min(rows.length - 1, place))].focus();
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && typing(event.target)) return event.target.blur();
  if (typing(event.target)) return;
  const search = document.querySelector("[data-search]");
  if (event.key === "/" && search) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (press(event.key.toLowerCase())) event.preventDefault();
});

// A choice of a language takes one there.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-go]")) event.target.form.submit();
});

// A file that is chosen fills the field beside it, so that one sees what is sent.
document.addEventListener("change", async (event) => {
  const field = event.target.dataset.into && document.querySelector(event.target.dataset.into);
  if (field && event.target.files.length) field.value = await event.target.files[0].text();
});

// Work that has ended changes the whole page: what is there now, and what can be done next. Whoever has begun to
// fill in a form keeps it.
const isChanged = (field) => {
  if (["checkbox", "radio"].includes(field.type)) return field.checked !== field.defaultChecked;
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((each) => each.defaultSelected));
  return field.type !== "hidden" && field.value !== field.defaultValue;
};
document.addEventListener("htmx:afterSwap", (event) => {
  const panel = event.detail.target;
  if (!panel.matches("#now, #crawl") || panel.querySelector("[hx-get]")) return;
  if (![...document.querySelectorAll("input, select, textarea")].some(isChanged)) location.reload();
});

// A citation names the whole address, by which the result is found again.
const nameAddresses = () => {
  for (const cited of document.querySelectorAll(".cite a")) cited.textContent = cited.href;
};
nameAddresses();
document.addEventListener("htmx:afterSwap", nameAddresses);

// Whoever chooses a language of the interface comes back to this page.
for (const field of document.querySelectorAll("[data-here]")) field.value = location.pathname + location.search;

// On a phone a row of tabs is wider than the screen: the one that is open is brought to its middle.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const [row, own] = [tab.parentElement, tab.getBoundingClientRect()];
  row.scrollLeft += own.left + own.width / 2 - row.getBoundingClientRect().left - row.clientWidth / 2;
}
