// Runs before the first paint, from its own file because the page allows no inline script.
(() => {
  const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#0B1622" : "#FBFAF8");

  // zod would try whether it may compile code from text, which the page does not allow and the browser would report.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

  // The page's next part, by whether somebody is signed in; without a hint it is asked for only once the first has run.
  const accessToken = localStorage.getItem("leadline.access-token");
  const signedIn = accessToken ?? localStorage.getItem("leadline.refresh-token");
  const part = document.querySelector(`meta[name="signed-${signedIn ? "in" : "out"}-part"]`)?.content;
  if (part) {
    const link = Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href: part });
    document.head.append(link);
  }

  // Who is here, which each page of theirs asks first, is asked while its code comes: src/data/early-answer.ts hands it over.
  if (accessToken) {
    const url = "/api/v1/users/me";
    const headers = { accept: "application/json, application/problem+json", authorization: `Bearer ${accessToken}` };
    const answer = fetch(url, { headers, signal: AbortSignal.timeout(10_000) }).catch(() => null);
    Object.assign(globalThis, { earlyRequest: { url, accessToken, answer } });
  }
})();
