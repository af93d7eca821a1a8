// @vitest-environment happy-dom
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { leaveWhileOthersSave } from "../../components/testing/leave-while-others-save.tsx";
import { LimitsForm } from "./limits-form.tsx";

afterEach(cleanup);

const before = {
  allowedCountries: ["US"],
  concurrentCalls: 5,
  callsPerMinute: 10,
  dailySpend: 10_000_000,
  used: { concurrentCalls: 0, callsPerMinute: 0, dailySpend: 0 },
};

test("limits saved by somebody else answer no standing question to leave, and take nothing typed away", async () => {
  const left = await leaveWhileOthersSave({
    form: (limits) => <LimitsForm limits={limits} mayChange />,
    before,
    after: { ...before, callsPerMinute: 20 },
    typed: ["Calls at the same time", "7"],
    changed: "20",
  });
  expect(left).toEqual({ at: "/form", typed: "7" });
});
