import type { Page } from "playwright-core";

/** What the progress bar of a sync says from now on, however briefly. */
export async function watchProgress(page: Page): Promise<{ seen(): Promise<string[]> }> {
  const seen = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const look = () => {
      for (const bar of document.querySelectorAll('[role="progressbar"]')) {
        const text = bar.getAttribute("aria-valuetext");
        if (text !== null && text !== texts.at(-1)) texts.push(text);
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    return texts;
  });
  return { seen: () => seen.jsonValue() };
}
