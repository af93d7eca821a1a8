import { expect, test } from "vitest";
import { describeChange } from "./describe-change.ts";

const counted = (now: number | null, before: number | null) => describeChange({ now, before, format: String });

test("compares a figure in per cent, up or down", () => {
  expect(counted(15, 12)).toEqual({ direction: "up", size: "25 %", from: "from 12" });
  expect(counted(9, 12)).toEqual({ direction: "down", size: "25 %", from: "from 12" });
});

test("describes little or no change as unchanged", () => {
  expect(counted(12, 12)).toEqual({ direction: "same", size: "", from: "unchanged from 12" });
  expect(counted(1001, 1000)).toMatchObject({ direction: "same", from: "unchanged from 1000" });
});

test("shows no percentage if there was nothing before", () => {
  expect(counted(5, 0)).toEqual({ direction: "up", size: "", from: "from 0" });
  expect(counted(0, 0)).toEqual({ direction: "same", size: "", from: "none before" });
  expect(counted(5, null)).toEqual({ direction: "same", size: "", from: "none before" });
  expect(counted(null, 5)).toBeNull();
});

test("compares shares in percentage points", () => {
  const shares = (now: number, before: number) =>
    describeChange({ now, before, inPoints: true, format: (share) => `${share * 100} %` });
  expect(shares(0.44, 0.4)).toEqual({ direction: "up", size: "4 points", from: "from 40 %" });
  expect(shares(0, 0.01)).toEqual({ direction: "down", size: "1 point", from: "from 1 %" });
  expect(shares(0.456, 0.464)).toMatchObject({ direction: "same", size: "" });
  expect(shares(0.5, 0)).toEqual({ direction: "up", size: "50 points", from: "from 0 %" });
});
