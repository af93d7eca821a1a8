import type { Call } from "@leadline/contract/calls";
import { expect, test, vi } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { connectSwitchboard, ownNumber, sit, switchboard } from "../../../testing/open-switchboard.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const callsInAMinute = 40;
const app = testAppWithCalls([...carrierModules, switchboard], { callsInAMinute });
const came = async (rep: Rep): Promise<Call[]> =>
  (await app.ask("GET", "/v1/calls?direction=inbound&limit=100", { token: rep.token })).json();
const used = async (rep: Rep) => (await app.ask("GET", "/v1/limits", { token: rep.token })).json().used;

test("a caller who withholds the number is listed as missed too", async () => {
  const rep = await newRep(app);
  const putThrough = await connectSwitchboard(app, rep);
  const heard = putThrough(null);
  await vi.waitFor(() => expect(heard).toEqual(["nobody-there"]));
  await vi.waitFor(async () => expect(await came(rep)).toHaveLength(1));
  expect((await came(rep))[0]).toMatchObject({
    phoneNumber: "",
    callerId: null,
    calledNumber: ownNumber,
    status: "no-answer",
  });
});

test("a colleague's extension at the PBX is stored as the PBX wrote it, with its name if there is one", async () => {
  const rep = await newRep(app);
  const putThrough = await connectSwitchboard(app, rep);
  const callers = [
    ["301", undefined, "301"],
    ["302", "Ada Byron", "Ada Byron (302)"],
    ["303", "303", "303"],
    ["304", `${"x".repeat(80)}\u0000`, `${"x".repeat(64)} (304)`],
    ["+442071838750", "Ada Byron", null],
  ] as const;
  for (const [index, [from, fromName]] of callers.entries()) {
    putThrough(from, undefined, fromName);
    await vi.waitFor(async () => expect(await came(rep)).toHaveLength(index + 1));
  }
  const told = (await came(rep)).toReversed().map(({ phoneNumber, callerId }) => [phoneNumber, callerId]);
  expect(told).toEqual(callers.map(([from, , callerId]) => [callerId === null ? from : "", callerId]));
});

test("stores whether the network vouches for the caller, and who forwarded the call", async () => {
  const rep = await newRep(app);
  const putThrough = await connectSwitchboard(app, rep);
  const callers = [
    [{}, [null, null], null],
    [{ verification: "passed-a", forwardedBy: "+442079460188" }, [true, "passed-a"], "+442079460188"],
    [{ verification: "passed-b", forwardedBy: "302" }, [false, "passed-b"], "302"],
    [{ verification: "failed" }, [false, "failed"], null],
    [{ verification: "none" }, [false, "none"], null],
  ] as const;
  for (const [index, [vouched]] of callers.entries()) {
    putThrough(undefined, undefined, undefined, vouched);
    await vi.waitFor(async () => expect(await came(rep)).toHaveLength(index + 1));
  }
  const told = (await came(rep))
    .toReversed()
    .map((call) => [[call.callerVerified, call.callerVerification], call.forwardedBy]);
  expect(told).toEqual(callers.map(([, verified, forwardedBy]) => [verified, forwardedBy]));
});

test("in a flood, lists as many calls as the limit per minute allows and refuses the rest", async () => {
  const rep = await newRep(app);
  const putThrough = await connectSwitchboard(app, rep);
  const heard = Array.from({ length: 50 }, () => putThrough());
  await vi.waitFor(
    () => expect(heard.filter(([first]) => first === "nobody-there")).toHaveLength(callsInAMinute),
    10_000,
  );
  expect(heard.filter(([first]) => first === "overloaded")).toHaveLength(50 - callsInAMinute);
  // Each organisation has its own count.
  const other = await newRep(app);
  const others = (await connectSwitchboard(app, other))();
  await vi.waitFor(() => expect(others).toEqual(["nobody-there"]));
});

test("a call beyond the limit of ringing calls gets 503 and is listed, and none of them stops anyone from dialling", async () => {
  const rep = await newRep(app);
  const putThrough = await connectSwitchboard(app, rep);
  await sit(app, rep);
  await vi.waitFor(async () => {
    const heard = putThrough();
    await vi.waitFor(() => expect(heard).not.toEqual([]));
    expect(heard).toEqual(["ringing"]);
  });
  const heard = Array.from({ length: 30 }, () => putThrough());
  expect(heard.at(-1)).toEqual(["overloaded"]);
  await vi.waitFor(async () => {
    const statuses = (await came(rep)).map(({ status }) => status);
    expect(statuses.filter((status) => status === "ringing")).toHaveLength(30);
    expect(statuses).toContain("no-answer");
  });
  expect(await used(rep)).toMatchObject({ concurrentCalls: 0, callsPerMinute: 0 });
  // Dial through the sandbox: the switchboard places no outbound calls.
  const [carrier] = (await app.ask("GET", "/v1/carriers", { token: rep.token })).json();
  await app.ask("PUT", `/v1/carriers/${carrier.id}`, { token: rep.token, body: { inUse: false } });
  const callSid = await dial(app, rep, "+12025550100");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  expect(await used(rep)).toMatchObject({ concurrentCalls: 1, callsPerMinute: 1 });
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
});
