// Runs before the first paint, from its own file because the page allows no inline script.
(() => {
  const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#0B1622" : "#FBFAF8");

  // zod would try whether it may compile code from text, which the page does not allow and the browser would report.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

  // Who is signed in needs this part next; without a hint it is asked for only once the first part has run.
  const part = document.querySelector('meta[name="signed-in-part"]')?.content;
  if (part && localStorage.getItem("leadline.access-token")) {
    const link = Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href: part });
    document.head.append(link);
  }
})();
