import type { Page } from "playwright-core";

declare global {
  interface Window {
    redirectTimes: { toldAtMs?: number; leftAtMs?: number };
  }
}

/**
 * How long the page shows `words` before it redirects to `path`. Both moments are recorded in the page, on its own
 * clock, so that this machine's speed doesn't matter. Call it before the timed page loads.
 */
export async function timeRedirect(page: Page, { words, path }: { words: string; path: string }) {
  await page.addInitScript(
    (given) => {
      const times: Window["redirectTimes"] = {};
      window.redirectTimes = times;
      new MutationObserver(() => {
        if (document.body?.textContent.includes(given.words)) times.toldAtMs ??= performance.now();
      }).observe(document, { subtree: true, childList: true, characterData: true });
      for (const way of ["pushState", "replaceState"] as const) {
        const move = history[way].bind(history);
        history[way] = (...to) => {
          move(...to);
          if (location.pathname === given.path) times.leftAtMs ??= performance.now();
        };
      }
    },
    { words, path },
  );
  return {
    /** Waits until the page has redirected. */
    async shownMs(): Promise<number> {
      await page.waitForURL(`**${path}`);
      const { toldAtMs, leftAtMs } = await page.evaluate(() => window.redirectTimes);
      if (toldAtMs === undefined || leftAtMs === undefined)
        throw new Error("the page did not tell, or did not lead on");
      return leftAtMs - toldAtMs;
    },
  };
}
