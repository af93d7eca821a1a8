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
  // This process may be older than an answer that is still fresh.
  vi.spyOn(performance, "now").mockReturnValue(1_000);
});
afterEach(() => {
  vi.restoreAllMocks();
  delete window.earlyRequest;
});

test("what was asked before the code came is handed over once", () => {
  const answer = askedEarly();
  expect(takeEarlyAnswer("/api/v1/leads", "access-0")).toBeNull();
  expect(takeEarlyAnswer(url, "access-0")).toBe(answer);
  expect(takeEarlyAnswer(url, "access-0")).toBeNull();
});

test("another person's answer is not, nor one that may have been overtaken", () => {
  void askedEarly();
  expect(takeEarlyAnswer(url, "access-1")).toBeNull();
  void askedEarly();
  vi.spyOn(performance, "now").mockReturnValue(10_001);
  expect(takeEarlyAnswer(url, "access-0")).toBeNull();
});
