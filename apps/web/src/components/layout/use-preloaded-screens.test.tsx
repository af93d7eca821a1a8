// @vitest-environment happy-dom
import { Outlet } from "@tanstack/react-router";
import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { usePreloadedScreens } from "./use-preloaded-screens.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, "connection");
});

/** A screen that tells when its code is fetched. */
function screenOf(name: string, fetched: string[]) {
  const Screen = () => <p>{name}</p>;
  return Object.assign(Screen, { preload: async () => void fetched.push(name) });
}
function Layout() {
  usePreloadedScreens();
  return <Outlet />;
}
async function openDashboard() {
  const fetched: string[] = [];
  const names = ["dashboard", "leads", "calls"];
  const screens = Object.fromEntries(names.map((name) => [`/${name}`, screenOf(name, fetched)]));
  const shown = await showScreens({ at: "/dashboard", screens, layout: Layout });
  fetched.length = 0;
  return { ...shown, fetched };
}

test("ten seconds after the start, and not before, the code of the other screens is fetched", async () => {
  const { fetched } = await openDashboard();
  await vi.advanceTimersByTimeAsync(9_900);
  expect(fetched).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(fetched).toEqual(expect.arrayContaining(["leads", "calls"]));
});

test("nothing is fetched ahead for who saves data, or has left by then", async () => {
  const { fetched: afterLeaving, unmount } = await openDashboard();
  unmount();
  Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
  const { fetched } = await openDashboard();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([afterLeaving, fetched]).toEqual([[], []]);
});
