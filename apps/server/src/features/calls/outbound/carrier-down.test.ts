import { randomUUID } from "node:crypto";
import type { CarrierModule, CarrierState } from "@leadline/adapter-kit/carrier";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { limitRequests } from "../../../testing/limit-requests.ts";
import { joinOrganisation, registerPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const callee = "+12025550100";
const kind = `line-${randomUUID().slice(0, 8)}`;
const numbers = { "Main trunk": "+442079460101", "Backup trunk": "+442079460102" };
let level: CarrierState["level"] = "working";
/** Whether the main trunk refuses calls although it is working. */
let refuses = false;

/** Reaches the sandbox's callees. The main trunk is as good as `level` and `refuses`. */
const line: CarrierModule = {
  ...sandbox,
  id: kind,
  settings: z.object({ name: z.literal(["Main trunk", "Backup trunk"]) }),
  async open(settings) {
    const { name } = z.object({ name: z.literal(["Main trunk", "Backup trunk"]) }).parse(settings);
    const servers = [{ name: "pbx.example", vouchedFor: true }];
    const inner = await sandbox.open({});
    return {
      ...inner,
      // The sandbox answers 503 for this number.
      dial: (request) => inner.dial(refuses && name === "Main trunk" ? { ...request, to: "+12025550106" } : request),
      state: () => ({ level: name === "Main trunk" ? level : "working", sentence: "" }),
      shownNumber: () => ({ number: numbers[name], others: [], servers }),
    };
  },
};
const app = testAppWithCalls([sandbox, line]);

async function connect(rep: Rep, label: keyof typeof numbers, pricePerMinute: number): Promise<void> {
  const body = { kind, label, settings: { name: label }, pricePerMinute };
  expect((await app.ask("POST", "/v1/carriers", { token: rep.token, body })).statusCode).toBe(201);
}

test("while the first carrier is down, price, caller ID and numbers are those of the backup that calls go through", async () => {
  const rep = await newRep(app);
  const get = async (path: string) => (await app.ask("GET", path, { token: rep.token })).json();
  await connect(rep, "Backup trunk", 20_000);
  await connect(rep, "Main trunk", 10_000);
  for (const [now, label, price] of [
    ["working", "Main trunk", 10_000],
    ["down", "Backup trunk", 20_000],
    ["partly", "Main trunk", 10_000],
  ] as const) {
    level = now;
    const phoneNumber = encodeURIComponent(callee);
    expect(await get(`/v1/rates/number?phoneNumber=${phoneNumber}`)).toMatchObject({
      rate: { perMinuteMicros: price },
    });
    expect(await get(`/v1/caller-ids?phoneNumber=${phoneNumber}`)).toMatchObject({
      automatic: { number: numbers[label] },
    });
    expect(await get("/v1/phone-numbers/use")).toMatchObject({ carrier: label });
    const callSid = await dial(app, rep, callee);
    const call = await waitForStatus(app, rep, { callSid, status: "in-progress" });
    expect(call).toMatchObject({ rate: { perMinuteMicros: price }, shownNumber: numbers[label] });
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
  }
});

test("a burst that goes to a dearer backup stays within the daily spending limit", async () => {
  const rep = await newRep(app);
  const { call, hangUp, put } = limitRequests(app);
  await connect(rep, "Backup trunk", 20_000);
  await connect(rep, "Main trunk", 1_000);
  await put(rep, { dailySpend: 50_000 });
  const others = await Promise.all(Array.from({ length: 5 }, () => registerPerson(app)));
  for (const one of others) await joinOrganisation(app, one, { organisationId: rep.organisationId, role: "member" });
  level = "working";
  refuses = true;
  onTestFinished(() => void (refuses = false));
  const burst = await Promise.all(
    [rep, ...others].map(async (by) => ({ by, callSid: (await call(by, callee)).json().callSid as string })),
  );
  const settled = await Promise.all(
    burst.map(({ by, callSid }) =>
      vi.waitFor(async () => {
        const read = await readCall(app, by, callSid);
        expect(["in-progress", "failed"]).toContain(read.status);
        return read;
      }),
    ),
  );
  const refusals = settled.filter(({ status }) => status === "failed").map(({ refusal }) => refusal);
  const refusal =
    "Backup trunk: Daily spending limit reached. Try again tomorrow, or ask an admin to raise the limit under Settings, Limits.";
  expect(refusals).toEqual(Array.from({ length: 4 }, () => refusal));
  for (const { by, callSid } of burst) await hangUp(by, callSid);
});
