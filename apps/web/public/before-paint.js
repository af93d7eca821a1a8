// Runs before the first paint, from its own file because the page allows no inline script.
(() => {
  const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#0B1622" : "#FBFAF8");

  // zod would try whether it may compile code from text, which the page does not allow and the browser would report.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

  // The page's next part, by whether somebody is signed in; without a hint it is asked for only once the first has run.
  const signedIn = localStorage.getItem("leadline.access-token") ?? localStorage.getItem("leadline.refresh-token");
  const part = document.querySelector(`meta[name="signed-${signedIn ? "in" : "out"}-part"]`)?.content;
  if (part) {
    const link = Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href: part });
    document.head.append(link);
  }
})();
