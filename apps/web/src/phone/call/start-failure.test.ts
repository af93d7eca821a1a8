import type { ProblemCode } from "@leadline/contract/problem";
import { expect, it } from "vitest";
import { ProblemError } from "../../data/problem-error.ts";
import { startFailureOf } from "./start-failure.ts";

const refused = (code: ProblemCode) =>
  startFailureOf(new ProblemError({ code, title: code, detail: code, status: 402 }), null);

it.each([
  ["balance-too-low", "balance"],
  ["rate-unknown", "rates"],
  ["country-not-allowed", "limits"],
  ["rate-too-high", "limits"],
  ["carrier-unreachable", null],
] as const)("a call refused as %s says that %s can be changed", (code, what) => {
  expect(refused(code)).toMatchObject({ startFailure: code, startRefusedBy: what });
});
