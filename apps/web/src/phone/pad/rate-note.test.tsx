// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../../data/query-client.ts";
import { RateNote } from "./rate-note.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const rate = { perMinuteMicros: 13_000, connectionFeeMicros: 0, firstSeconds: 60, nextSeconds: 60 };

test.each([
  [{ rate, description: "United States", isSandbox: false }, "Price: $0.013/min"],
  [{ rate, description: "United States", isSandbox: true }, "Price: Sandbox $0.013/min"],
  [{ rate: null, description: "", isSandbox: false }, "Price: Rate unknown"],
])("shows what a call costs before it is made, once the number is whole: %j", async (answer, words) => {
  const asked: (string | null)[] = [];
  vi.stubGlobal("fetch", async (given: URL | string) => {
    const url = new URL(given, location.href);
    if (url.pathname.endsWith("/v1/rates/number")) asked.push(url.searchParams.get("phoneNumber"));
    return Response.json(answer);
  });
  const { container, rerender } = render(<RateNote typed="+1 202 55" />);
  expect(container.textContent).toBe("");
  rerender(<RateNote typed="+1 202 555 0100" />);
  await screen.findByText("Price:");
  expect(container.textContent).toBe(words);
  expect(asked).toEqual(["+12025550100"]);
});
