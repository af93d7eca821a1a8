import { describe, expect, test } from "vitest";
import { meanOpinionScore, rateQuality } from "./rate-quality.ts";

const figures = (roundTripMs: number, jitterMs: number, lossPercent: number) => ({
  roundTripMs,
  jitterMs,
  lossRatio: lossPercent / 100,
});

describe("quality in words", () => {
  test.each([
    [20, 2, 0, "excellent"],
    [150, 10, 1, "excellent"],
    [390, 29, 0, "good"],
    [401, 5, 0, "fair"],
    [20, 31, 0, "fair"],
    [20, 2, 3.5, "fair"],
    [450, 40, 0, "poor"],
    [20, 2, 25, "poor"],
    [900, 29, 2.9, "poor"],
  ] as const)("%s ms round trip, %s ms jitter and %s percent loss is %s", (rtt, jitter, loss, words) => {
    expect(rateQuality(figures(rtt, jitter, loss))).toBe(words);
  });
  test("an unknown round trip doesn't count against the call", () => {
    expect(rateQuality({ roundTripMs: null, jitterMs: 1, lossRatio: 0 })).toBe("excellent");
  });
  test("the score stays between 1 and 4.5 and falls with loss", () => {
    expect(meanOpinionScore(figures(0, 0, 0))).toBeLessThan(4.5);
    expect(meanOpinionScore(figures(5000, 500, 100))).toBeGreaterThanOrEqual(1);
    expect(meanOpinionScore(figures(20, 2, 5))).toBeLessThan(meanOpinionScore(figures(20, 2, 1)));
  });
});
