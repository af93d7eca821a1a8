import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { logDropped } from "./log-dropped.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const source = { protocol: "UDP", address: "192.0.2.9", port: 5060 } as const;

function drops() {
  const told: { firstLine: string; earlier: number }[] = [];
  const silent = { received: () => ({ ignored() {} }), sent() {}, dropped() {}, strangerIgnored() {} };
  const trace = logDropped(silent, ({ firstLine, earlier }) => void told.push({ firstLine, earlier }));
  const ignoreStranger = (address: string) => trace.strangerIgnored(address);
  const drop = (firstLine: string) => trace.received(`${firstLine}\r\n\r\n`, source).ignored("It has no from header.");
  return { told, drop, ignoreStranger };
}

it("the first dropped message is logged immediately, and later similar ones are counted, even if no other follows", () => {
  const { told, drop } = drops();
  for (const each of ["one", "two", "three"]) drop(each);
  expect(told.map(({ firstLine }) => firstLine)).toEqual(["one", "two", "three"]);
  for (const each of ["four", "five", "six"]) drop(each);
  expect(told).toHaveLength(3);
  vi.runAllTimers();
  expect(told.slice(3)).toEqual([{ firstLine: "six", earlier: 2 }]);
  drop("seven");
  expect(told.at(-1)).toEqual({ firstLine: "seven", earlier: 0 });
});

it("packets that each come from another stranger are logged in a few lines and counted, with few timers", () => {
  const { told, drop, ignoreStranger } = drops();
  for (let i = 0; i < 50_000; i++) ignoreStranger(`198.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  expect(told).toHaveLength(43);
  expect(vi.getTimerCount()).toBe(41);
  drop("a peer's own");
  expect(told.at(-1)).toEqual({ firstLine: "a peer's own", earlier: 0 });
  vi.runAllTimers();
  expect(told.slice(44)).toEqual([{ firstLine: "", earlier: 50_000 - 43 - 1 }]);
});
