import { expect, it } from "vitest";

import { trunkState } from "./trunk-state.ts";

const silent = {
  settings: { host: "pbx.example", outboundProxy: null },
  registration: null,
  reachable: { reached: 0, of: 1, isHeard: false, isUntried: false },
};

it("a trunk that has only ignored OPTIONS may be tried, unless it is registered with", () => {
  const untried = { ...silent, reachable: { ...silent.reachable, isUntried: true } };
  expect(trunkState(untried)).toEqual({
    level: "partly",
    sentence: "No answer from pbx.example so far. Some trunks only answer calls: make a test call to be sure.",
  });
  expect(trunkState({ ...untried, registration: { status: "unreachable" } }).level).toBe("down");
});

it("a trunk that left a call unanswered is down, unless another process is the one that registers there", () => {
  expect(trunkState(silent)).toMatchObject({ level: "down", sentence: expect.stringContaining("does not answer") });
  expect(trunkState({ ...silent, isRegisteredElsewhere: true })).toMatchObject({
    level: "partly",
    sentence: expect.stringContaining("Another process of this server registers at pbx.example"),
  });
  // It answered this process before.
  const fallenSilent = { ...silent, reachable: { ...silent.reachable, isHeard: true } };
  expect(trunkState({ ...fallenSilent, isRegisteredElsewhere: true }).level).toBe("down");
});
