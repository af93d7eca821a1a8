// Runs before the first paint, from its own file because the page allows no inline script.
(() => {
  // zod would try whether it may compile code from text, which the page does not allow and the browser would report.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#0B1622" : "#FBFAF8");
})();
