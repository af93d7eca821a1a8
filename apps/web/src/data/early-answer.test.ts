// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { takeEarlyAnswer } from "./early-answer.ts";

const url = "/api/v1/users/me";

function askedEarly(): Promise<Response> {
  const answer = Promise.resolve(new Response("{}"));
  window.earlyRequest = { url, accessToken: "access-0", answer };
  return answer;
}

beforeEach(() => {
  // This process may have started less time ago than a response stays fresh.
  vi.spyOn(performance, "now").mockReturnValue(1_000);
});
afterEach(() => {
  vi.restoreAllMocks();
  delete window.earlyRequest;
});

test("what was requested before the code had loaded is handed over once", () => {
  const answer = askedEarly();
  expect(takeEarlyAnswer("/api/v1/leads", "access-0")).toBeNull();
  expect(takeEarlyAnswer(url, "access-0")).toBe(answer);
  expect(takeEarlyAnswer(url, "access-0")).toBeNull();
});

test("another user's response isn't, nor one that may be stale", () => {
  void askedEarly();
  expect(takeEarlyAnswer(url, "access-1")).toBeNull();
  void askedEarly();
  vi.spyOn(performance, "now").mockReturnValue(10_001);
  expect(takeEarlyAnswer(url, "access-0")).toBeNull();
});
