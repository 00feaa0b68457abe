// Before anything is drawn, so that a dark page never flashes light.
const chosen = localStorage.getItem("theme");
if (chosen) document.documentElement.dataset.theme = chosen;
