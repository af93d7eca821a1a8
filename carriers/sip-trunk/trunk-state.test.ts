import { expect, it } from "vitest";

import { trunkState } from "./trunk-state.ts";

it("a trunk that has never answered is down, unless another process is the one that registers there", () => {
  const silent = {
    settings: { host: "pbx.example", outboundProxy: null },
    registration: null,
    reachable: { reached: 0, of: 1, isHeard: false },
  };
  expect(trunkState(silent)).toMatchObject({ level: "down", sentence: expect.stringContaining("does not answer") });
  expect(trunkState({ ...silent, isRegisteredElsewhere: true })).toMatchObject({
    level: "partly",
    sentence: expect.stringContaining("Another process of this server registers at pbx.example"),
  });
  // It answered this process before.
  const fallenSilent = { ...silent, reachable: { ...silent.reachable, isHeard: true } };
  expect(trunkState({ ...fallenSilent, isRegisteredElsewhere: true }).level).toBe("down");
});
