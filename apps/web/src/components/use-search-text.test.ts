// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSearchText } from "./use-search-text.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("keeps the typed text while the address still has the previous search", () => {
  const searches: string[] = [];
  const box = renderHook(({ search }) => useSearchText(search, (next) => searches.push(next)), {
    initialProps: { search: "" },
  });
  act(() => box.result.current[1]("st"));
  act(() => void vi.advanceTimersByTime(200));
  expect(searches).toEqual(["st"]);
  expect(box.result.current[0]).toBe("st");
  act(() => box.result.current[1]("sto"));
  box.rerender({ search: "st" });
  expect(box.result.current[0]).toBe("sto");
  act(() => void vi.advanceTimersByTime(200));
  expect(searches).toEqual(["st", "sto"]);
});

test("reports the text once typing pauses", () => {
  const searches: string[] = [];
  const box = renderHook(() => useSearchText("", (next) => searches.push(next)));
  for (const text of ["s", "st", "sto"]) {
    act(() => box.result.current[1](text));
    act(() => void vi.advanceTimersByTime(150));
  }
  expect(searches).toEqual([]);
  act(() => void vi.advanceTimersByTime(50));
  expect(searches).toEqual(["sto"]);
});

test("follows a search that changes elsewhere", () => {
  const box = renderHook(({ search }) => useSearchText(search, () => {}), { initialProps: { search: "stone" } });
  box.rerender({ search: "" });
  expect(box.result.current[0]).toBe("");
});
