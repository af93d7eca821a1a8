// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { lazyScreen } from "./lazy-screen.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const Screen = () => <p>Leads</p>;

test("a screen chosen without a network is fetched when the network is back, not before: a failed import stays failed", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  vi.stubGlobal("fetch", async () => Response.json({}));
  const load = vi.fn<() => Promise<{ Screen: typeof Screen }>>(async () => ({ Screen }));
  let shown = false;
  const preloading = lazyScreen(load, "Screen")
    .preload()
    .then(() => (shown = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([load.mock.calls.length, shown]).toEqual([0, false]);
  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  await preloading;
  expect(load).toHaveBeenCalledTimes(1);
});

test("a screen that a newer version no longer has fails, and is requested again the next time", async () => {
  vi.stubGlobal("fetch", async () => Response.json({}));
  const load = vi.fn<() => Promise<{ Screen: typeof Screen }>>(async () => ({ Screen }));
  load.mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"));
  const screen = lazyScreen(load, "Screen");
  await expect(screen.preload()).rejects.toThrow("Failed to fetch");
  await screen.preload();
  await screen.preload();
  expect(load).toHaveBeenCalledTimes(2);
});
