// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { usePreloadedScreens } from "./use-preloaded-screens.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => Response.json({}));
  document.head.innerHTML = '<meta name="screen-parts" content="/leads.js /calls.js">';
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    for (const node of nodes) {
      if (!(node instanceof HTMLLinkElement)) continue;
      asked.push(node.getAttribute("href") ?? node.href);
      node.dispatchEvent(new Event("load"));
    }
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.head.innerHTML = "";
  asked.length = 0;
  Reflect.deleteProperty(navigator, "connection");
});

const asked: string[] = [];
function Layout({ inCall = false }) {
  usePreloadedScreens({ inCall });
  return null;
}

test("nothing is prefetched with Save-Data, or after the page has gone", async () => {
  render(<Layout />).unmount();
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  render(<Layout />);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(asked).toEqual([]);
});

test("ten seconds after the start, or after a call, and not before, the code of the other screens is fetched", async () => {
  const { rerender } = render(<Layout />);
  await vi.advanceTimersByTimeAsync(9_000);
  rerender(<Layout inCall />);
  await vi.advanceTimersByTimeAsync(60_000);
  rerender(<Layout />);
  await vi.advanceTimersByTimeAsync(9_900);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked.map((href) => href.replace(/.*\//, "/"))).toEqual(["/leads.js", "/calls.js"]);
});
