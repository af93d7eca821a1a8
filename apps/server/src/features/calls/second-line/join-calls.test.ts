import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { describe, expect, test, vi } from "vitest";
import { repHz } from "../../../testing/media/heard-by.ts";
import { centsAMinute, echo, onTwoLines, speaking } from "../../../testing/on-two-lines.ts";
import { stringed } from "../../../testing/puppet-carrier.ts";
import { readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls([sandbox, stringed]);
const { post, change, consult, hangUp, talk, waitFor, consulting, consultingAloud } = onTwoLines(app);
const join = (by: Rep, callSid: string) => app.ask("POST", `/v1/calls/${callSid}/join`, { token: by.token });
const complete = (by: Rep, callSid: string) =>
  app.ask("POST", `/v1/calls/${callSid}/complete-transfer`, { token: by.token });
const ringing = "+12025550104";

describe("an attended transfer", () => {
  test("bridges the two, frees the rep, and is charged until one of the two hangs up", async () => {
    const { rep, first, second, puppet, end } = await consulting();
    const left = await complete(rep, second);
    expect([left.statusCode, left.json()]).toMatchObject([
      200,
      { callSid: second, line: null, held: false, joinedWith: { callSid: first, phoneNumber: speaking } },
    ]);
    expect(await readCall(app, rep, first)).toMatchObject({
      status: "in-progress",
      line: null,
      mediaConnectionId: null,
      held: false,
      joinedWith: { callSid: second, phoneNumber: echo },
      transfer: { phoneNumber: echo, attended: true, status: "taken" },
    });
    for (const verb of ["transfer", "consultation"])
      expect((await post(rep, first, verb, { phoneNumber: echo })).json()).toMatchObject({
        type: "/api/docs#call-ended",
        detail: "You’ve left this call, and the others are still talking.",
      });
    const used = (await app.ask("GET", "/v1/limits", { token: rep.token })).json().used;
    // The transfer doesn't count as a third call in the minute.
    expect(used).toMatchObject({ concurrentCalls: 2, callsPerMinute: 2 });
    const next = await talk(rep);
    await hangUp(rep, next);
    end(second);
    const ended = await Promise.all(
      [first, second].map((callSid) => waitForStatus(app, rep, { callSid, status: "completed" })),
    );
    for (const call of ended)
      expect(call).toMatchObject({ cause: { reason: "transferred" }, costMicros: centsAMinute, held: false });
    expect([puppet(first)?.hangUps, puppet(second)?.hangUps]).toEqual([1, 1]);
    // The carrier could connect them without us, and nobody would count the rest.
    expect(puppet(first)?.sentTo).toEqual([]);
  });

  test("stays bridged here if the carrier is asked to connect them, and refuses", async () => {
    const { rep, first, second, puppet } = await consulting("stringed", 0);
    await complete(rep, second);
    await vi.waitFor(() => expect(puppet(first)?.sentTo).toHaveLength(1));
    puppet(first)?.say({ type: "refused", why: { reason: "transfer-refused", sip: 603 } });
    expect(await readCall(app, rep, first)).toMatchObject({ status: "in-progress", joinedWith: { callSid: second } });
    await hangUp(rep, first);
    await waitForStatus(app, rep, { callSid: second, status: "completed" });
  });

  test("ends both calls when the carrier takes over, whichever call it reports first", async () => {
    const byNotify = await consulting("stringed", 0);
    await complete(byNotify.rep, byNotify.first);
    await vi.waitFor(() => expect(byNotify.puppet(byNotify.first)?.sentTo).toHaveLength(1));
    byNotify.puppet(byNotify.first)?.say({ type: "taken" });
    const bySandbox = await consulting("sandbox");
    await complete(bySandbox.rep, bySandbox.first);
    for (const { rep, first, second } of [byNotify, bySandbox])
      for (const callSid of [first, second])
        expect(await waitForStatus(app, rep, { callSid, status: "completed" })).toMatchObject({
          cause: { reason: "transferred" },
        });
  });

  test("requested twice at once is one transfer", async () => {
    const { rep, first, second, puppet } = await consulting("stringed", 0);
    const answers = await Promise.all([complete(rep, first), complete(rep, second)]);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(await readCall(app, rep, first)).toMatchObject({ line: null, mediaConnectionId: null });
    await vi.waitFor(() => expect(puppet(first)?.sentTo).toHaveLength(1));
    const { organisationId } = rep;
    const transfers = await app.database.withTransaction({ organisationId }, (tx) =>
      tx.selectFrom("call_transfers").select("call_sid").where("organisation_id", "=", organisationId).execute(),
    );
    expect(transfers).toHaveLength(1);
    await hangUp(rep, first);
  });

  test("is refused until both are answered", async () => {
    const { rep, first, second } = await consulting();
    await hangUp(rep, second);
    expect((await complete(rep, first)).json().detail).toBe("You don’t have a second call.");
    const rings: string = (await consult(rep, first, ringing)).json().callSid;
    for (const tooSoon of [complete, join])
      expect((await tooSoon(rep, first)).json()).toMatchObject({
        type: "/api/docs#not-supported",
        detail: "Wait until they answer.",
      });
    await hangUp(rep, rings);
    await hangUp(rep, first);
  });

  test("can be ended by the person who made it", async () => {
    const { rep, first, second } = await consulting();
    await complete(rep, first);
    expect(await hangUp(rep, second)).toMatchObject({ cause: { reason: "hung-up-here" } });
    await waitForStatus(app, rep, { callSid: first, status: "completed" });
  });
});

describe("a conference", () => {
  test("joins both calls, each of which can be held and silenced, and continues with one after the other leaves", async () => {
    const { rep, first, second, end, puppet } = await consulting();
    const extension = { phone_number: "", caller_id: "Ada Byron (301)" };
    await app.database.withTransaction({ system: "let an extension have called" }, (tx) =>
      tx.updateTable("calls").set(extension).where("call_sid", "=", first).execute(),
    );
    expect((await join(rep, first)).json()).toMatchObject({
      callSid: first,
      line: 1,
      held: false,
      joinedWith: { callSid: second, phoneNumber: echo, callerId: null },
    });
    expect(await readCall(app, rep, second)).toMatchObject({
      line: 2,
      joinedWith: { callSid: first, phoneNumber: "", callerId: "Ada Byron (301)" },
    });
    puppet(second)?.emit({ type: "held" });
    await waitFor(rep, second, { held: false, heldByThem: true });
    puppet(second)?.emit({ type: "resumed" });
    await waitFor(rep, second, { heldByThem: false });
    puppet(first)?.emit({ type: "held" });
    await waitFor(rep, first, { heldByThem: true });
    expect((await change(rep, first, { held: true })).json()).toMatchObject({ held: true });
    expect((await change(rep, first, { held: false })).json()).toMatchObject({ held: false });
    expect(await readCall(app, rep, second)).toMatchObject({ held: false });
    expect((await change(rep, second, { silenced: true })).json()).toMatchObject({ silenced: true });
    expect(puppet(second)?.holds).toEqual([]);
    end(first);
    const ended = await waitForStatus(app, rep, { callSid: first, status: "completed" });
    expect(ended).toMatchObject({ cause: { reason: "hung-up-there" }, costMicros: centsAMinute });
    await waitFor(rep, second, { status: "in-progress", line: 1, joinedWith: null, silenced: false });
    expect(await hangUp(rep, second)).toMatchObject({ costMicros: centsAMinute });
    expect([puppet(first)?.hangUps, puppet(second)?.hangUps]).toEqual([1, 1]);
  });

  test("unsilences everyone when joined again", async () => {
    const { rep, browser, first, second, end } = await consultingAloud();
    const isEchoHeard = async (): Promise<boolean> => shareAt(repHz, await browser.listen(500)) > 0.2;
    await join(rep, first);
    await expect.poll(isEchoHeard).toBe(true);
    await change(rep, second, { silenced: true });
    await expect.poll(isEchoHeard).toBe(false);
    expect((await join(rep, first)).statusCode).toBe(200);
    expect(await readCall(app, rep, second)).toMatchObject({ silenced: false });
    await expect.poll(isEchoHeard).toBe(true);
    await end();
  });

  test("can be left to the two far ends, like a transfer", async () => {
    const { rep, first, second, end } = await consulting();
    await join(rep, second);
    await change(rep, second, { silenced: true });
    expect((await complete(rep, first)).statusCode).toBe(200);
    expect(await readCall(app, rep, second)).toMatchObject({ line: null, silenced: false, status: "in-progress" });
    end(first);
    await waitForStatus(app, rep, { callSid: second, status: "completed" });
  });
});
