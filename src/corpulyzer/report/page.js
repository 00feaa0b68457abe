"use strict";
(() => {
  const specs = JSON.parse(document.getElementById("specs").textContent);
  const words = JSON.parse(document.getElementById("page-words").textContent);
  const places = [...document.querySelectorAll("[data-figure]")];
  const drawn = new Set();

  function draw(place) {
    if (drawn.has(place)) return;
    drawn.add(place);
    const options = {
      renderer: "svg",
      actions: { export: true, source: false, compiled: false, editor: false },
      downloadFileName: place.dataset.figure,
      i18n: { SVG_ACTION: words.svg, PNG_ACTION: words.png },
      tooltip: { theme: "report" },
      logLevel: 1, // errors alone
    };
    vegaEmbed(place, specs[place.dataset.figure], options)
      .then(() => {
        place.classList.add("drawn");
        place.querySelector("summary")?.setAttribute("aria-label", words.save);
      })
      .catch((error) => {
        place.textContent = words.failed;
        console.error(place.dataset.figure, error);
      });
  }

  // What is in view comes first; the rest follows while nothing else happens, so that all of it can be printed.
  const seen = new IntersectionObserver(
    (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => draw(entry.target)),
    { rootMargin: "400px" },
  );
  places.forEach((place) => seen.observe(place));
  // A busy machine is never idle, so nothing waits for that longer than half a second.
  const whenIdle = window.requestIdleCallback || ((task) => setTimeout(task, 60));
  const idle = (task) => whenIdle(task, { timeout: 500 });
  const rest = [...places];
  const next = () => {
    const place = rest.shift();
    if (place) {
      draw(place);
      idle(next);
    }
  };
  idle(next);

  const contents = document.querySelector("details.contents");
  const narrow = window.matchMedia("(max-width: 68rem)");
  const fold = () => { contents.open = !narrow.matches; };
  narrow.addEventListener("change", fold);
  fold();
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a") && narrow.matches) contents.open = false;
  });

  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  const current = new IntersectionObserver(
    (entries) => entries.forEach((entry) => {
      const link = links.get(entry.target.id);
      if (link && entry.isIntersecting) {
        links.forEach((other) => other.removeAttribute("aria-current"));
        link.setAttribute("aria-current", "true");
      }
    }),
    { rootMargin: "-10% 0px -80% 0px" },
  );
  document.querySelectorAll("article[id], section[id]").forEach((part) => current.observe(part));

  let opened = [];
  window.addEventListener("beforeprint", () => {
    places.forEach(draw);
    opened = [...document.querySelectorAll("details.definition:not([open])")];
    opened.forEach((each) => { each.open = true; });
  });
  window.addEventListener("afterprint", () => opened.forEach((each) => { each.open = false; }));
})();
