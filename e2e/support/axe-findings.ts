import { createRequire } from "node:module";
import type { Page } from "playwright-core";

declare global {
  interface Window {
    axe: typeof import("axe-core");
  }
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Rules about what is painted; for the others, a page in other colours is the same page. */
const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * WCAG 2.2 A and AA, and axe's best practices; each finding as its rule and the first element. `coloursOnly`: for a
 * page that was fully checked in other colours.
 */
export async function findings(page: Page, { coloursOnly = false } = {}): Promise<string[]> {
  // Elements that are still fading in have no final contrast. Endless animations aren't waited for.
  await page.evaluate(async () => {
    const ends = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ends.map((one) => one.finished));
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ path: axe });
  const rules = coloursOnly ? { runOnly: colourRules } : {};
  const violations = await page.evaluate(async (only) => {
    const results = await window.axe.run({ resultTypes: ["violations"], elementRef: true, ...only });
    // A toast may begin to fade out meanwhile.
    const isLeaving = ({ element }: { element?: HTMLElement }): boolean =>
      element !== undefined &&
      (!element.isConnected || element.closest("[data-sonner-toast][data-removed=true]") !== null);
    return results.violations.flatMap(({ id, nodes }) => {
      const [stays] = nodes.filter((node) => !isLeaving(node));
      return stays ? [`${id}: ${stays.html}`] : [];
    });
  }, rules);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  return overflow ? [...violations, "the page scrolls sideways"] : violations;
}
