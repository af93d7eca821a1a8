import { afterEach, beforeAll, vi } from "vitest";

const hasPage = typeof document !== "undefined";

/** Files that one worker serves share its window: none meets what another has left in it. */
beforeAll(async () => {
  vi.unstubAllGlobals();
  if (!hasPage) return;
  localStorage.clear();
  sessionStorage.clear();
  const { configure } = await import("@testing-library/dom");
  // Other suites have the processors too.
  configure({ asyncUtilTimeout: 30_000 });
});
/** Sonner shows a toast that stands to every toaster which is mounted later. */
afterEach(async () => {
  if (!hasPage) return;
  const { toast } = await import("sonner");
  toast.dismiss();
});
