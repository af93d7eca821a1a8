import { afterEach, beforeAll, vi } from "vitest";

const hasPage = typeof document !== "undefined";

/** Files in one worker share a window, so each clears what the others left in it. */
beforeAll(async () => {
  vi.unstubAllGlobals();
  if (!hasPage) return;
  localStorage.clear();
  sessionStorage.clear();
  const { configure } = await import("@testing-library/dom");
  // Other suites use the processors at the same time.
  configure({ asyncUtilTimeout: 30_000 });
});
/** Sonner shows an open toast in every toaster that is mounted later. */
afterEach(async () => {
  if (!hasPage) return;
  const { toast } = await import("sonner");
  toast.dismiss();
});
