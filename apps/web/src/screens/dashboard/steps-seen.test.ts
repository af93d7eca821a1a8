// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetPerson } from "../../data/forget-person.ts";
import { stepsSeen } from "./steps-seen.ts";

// Left by an earlier test file in the same process.
beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test("one organisation's first steps don't affect another's", () => {
  expect(stepsSeen.wasDone("harbour", "Get a number")).toBeUndefined();
  stepsSeen.keep("harbour", ["Create an organisation", "Get a number"]);
  expect(stepsSeen.wasDone("harbour", "Get a number")).toBe(true);
  expect(stepsSeen.wasDone("harbour", "Connect a CRM")).toBe(false);
  expect(stepsSeen.wasDone("pilot", "Get a number")).toBeUndefined();
  stepsSeen.keep("harbour", []);
  expect(stepsSeen.wasDone("harbour", "Get a number")).toBe(false);
});

test("stores nothing in local storage, and logging out clears it", () => {
  stepsSeen.keep("harbour", ["Get a number"]);
  expect({ ...localStorage }).toEqual({});
  forgetPerson();
  expect(stepsSeen.wasDone("harbour", "Get a number")).toBeUndefined();
});

test("writes only changes, and retries after the browser has refused", () => {
  const kept = new Map<string, string>();
  const setItem = vi.fn<(key: string, value: string) => void>((key, value) => void kept.set(key, value));
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem, clear: () => {} });
  stepsSeen.keep("harbour", ["Get a number"]);
  stepsSeen.keep("harbour", ["Get a number"]);
  expect(setItem).toHaveBeenCalledOnce();
  setItem.mockImplementation(() => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  });
  stepsSeen.keep("harbour", []);
  expect(stepsSeen.wasDone("harbour", "Get a number")).toBe(true);
});
