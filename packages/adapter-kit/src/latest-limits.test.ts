import { afterEach, describe, expect, it, vi } from "vitest";
import { createLatestLimits, readCount } from "./latest-limits.ts";

afterEach(() => vi.useRealTimers());
const dayMs = 86_400_000;

describe("the latest limits", () => {
  it("are those of the access that they were reported with, the one nearest to its end first", () => {
    const limits = createLatestLimits();
    limits.note("ours", { left: 90, most: 100, windowMs: dayMs });
    limits.note("ours", { left: 20, most: 40, windowMs: dayMs }, "filters");
    limits.note("theirs", { left: 1, most: 100, windowMs: dayMs });
    expect(limits.read("ours")).toMatchObject({ left: 20 });
    limits.note("ours", { left: 40, most: 40, windowMs: dayMs }, "filters");
    expect(limits.read("ours")).toMatchObject({ left: 90 });
    expect(limits.read("another")).toBeNull();
  });

  it("are unknown after a minute, or once their window is over", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const limits = createLatestLimits();
    limits.note("ours", { left: 1, most: 100, windowMs: dayMs });
    limits.note("shortly", { left: 1, most: 100, windowMs: 10_000 });
    vi.advanceTimersByTime(10_000);
    expect([limits.read("ours")?.left, limits.read("shortly")]).toEqual([1, null]);
    vi.advanceTimersByTime(50_000);
    expect(limits.read("ours")).toBeNull();
  });

  it("are read from headers that are counts", () => {
    expect(["17", "-1", "1e3", "", undefined, ["1", "2"]].map(readCount)).toEqual([17, null, null, null, null, null]);
  });
});
