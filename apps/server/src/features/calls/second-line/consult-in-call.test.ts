import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Call } from "@leadline/contract/calls";
import { describe, expect, test, vi } from "vitest";
import { heardBy, repHz } from "../../../testing/media/heard-by.ts";
import { openTestBrowser } from "../../../testing/media/test-browser.ts";
import { centsAMinute, echo, onTwoLines, speaking } from "../../../testing/on-two-lines.ts";
import { stringed } from "../../../testing/puppet-carrier.ts";
import { dial, newRep, readCall, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const app = testAppWithCalls([sandbox, stringed]);
const { post, change, consult, hangUp, talk, waitFor, consulting, consultingAloud } = onTwoLines(app);
const busy = "+12025550103";
const ringing = "+12025550104";

describe("a consultation", () => {
  test("is a separate call while the first is on hold, and a third one is refused", async () => {
    const { rep, first, second, puppet } = await consulting();
    const calls: Call[] = (await app.ask("GET", "/v1/calls?live=true", { token: rep.token })).json();
    expect(calls).toMatchObject([
      { callSid: second, phoneNumber: echo, line: 2, held: false, joinedWith: null, direction: "outbound" },
      { callSid: first, phoneNumber: speaking, line: 1, held: true, joinedWith: null, transfer: null },
    ]);
    expect(puppet(first)?.holds).toEqual([true]);
    for (const callSid of [first, second])
      expect((await consult(rep, callSid, busy)).json()).toMatchObject({
        type: "/api/docs#call-in-progress",
        detail: "You’re already on two calls. Hang up one of them first.",
      });
    const third = await app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: busy } });
    expect(third.json().type).toBe("/api/docs#call-in-progress");
    const blind = await post(rep, second, "transfer", { phoneNumber: busy });
    expect(blind.json().detail).toBe("You’re on two calls. Transfer one to the other, or hang up one of them first.");
    const used = (await app.ask("GET", "/v1/limits", { token: rep.token })).json().used;
    expect(used).toEqual({ concurrentCalls: 2, callsPerMinute: 2, dailySpend: 2 * centsAMinute, unpricedCalls: 0 });
    await hangUp(rep, first);
    await hangUp(rep, second);
  });

  test("lets the rep swap between the two, keeps one on hold, and mutes the rep on both lines", async () => {
    const { rep, first, second, puppet } = await consulting();
    expect((await change(rep, first, { held: false })).json()).toMatchObject({ held: false });
    expect(await readCall(app, rep, second)).toMatchObject({ held: true });
    expect([puppet(first)?.holds, puppet(second)?.holds]).toEqual([[true, false], [true]]);
    await change(rep, second, { held: false });
    expect(await readCall(app, rep, first)).toMatchObject({ held: true });
    await change(rep, second, { muted: true });
    expect(await readCall(app, rep, first)).toMatchObject({ muted: true });
    expect((await change(rep, second, { silenced: true })).json().detail).toBe(
      "You can only mute others in a conference.",
    );
    await hangUp(rep, second);
    await hangUp(rep, first);
  });

  test("keeps a rep muted who was muted when it began, until they unmute", async () => {
    const { rep, browser, second, end } = await consultingAloud({ muted: true });
    expect(await readCall(app, rep, second)).toMatchObject({ muted: true });
    expect(shareAt(repHz, await browser.listen(2_000))).toBeLessThan(0.1);
    await change(rep, second, { muted: false });
    expect(await heardBy(browser, repHz)).toEqual([repHz]);
    await end();
  });

  test("isn't stored as on hold if the other call hangs up while the rep swaps back", async () => {
    const { rep, first, second, puppet, end } = await consulting();
    const slow = Promise.withResolvers<void>();
    const farEnd = puppet(first);
    if (farEnd) farEnd.holding = slow.promise;
    const swapping = change(rep, first, { held: false });
    await vi.waitFor(() => expect(farEnd?.holds).toEqual([true, false]));
    end(first);
    await waitForStatus(app, rep, { callSid: first, status: "completed" });
    await vi.waitFor(() => expect(puppet(second)?.holds).toEqual([true, false]));
    slow.resolve();
    expect((await swapping).json().type).toBe("/api/docs#call-ended");
    expect(await readCall(app, rep, second)).toMatchObject({ status: "in-progress", line: 1, held: false });
    await hangUp(rep, second);
  });

  test("that is canceled, busy or over takes the first call off hold, and another one can follow", async () => {
    const { rep, first, second, puppet, end } = await consulting();
    expect(await hangUp(rep, second)).toMatchObject({ cause: { reason: "hung-up-here" }, line: null });
    await waitFor(rep, first, { held: false, line: 1 });
    const refused: string = (await consult(rep, first, busy)).json().callSid;
    expect(await waitForStatus(app, rep, { callSid: refused, status: "busy" })).toMatchObject({ costMicros: 0 });
    await waitFor(rep, first, { held: false });
    const third: string = (await consult(rep, first, echo)).json().callSid;
    await waitForStatus(app, rep, { callSid: third, status: "in-progress" });
    end(third);
    await waitFor(rep, first, { held: false });
    expect(puppet(first)?.holds).toEqual([true, false, true, false, true, false]);
    await hangUp(rep, first);
  });

  test("continues if the first call hangs up, moves to its line, and can have its own consultation", async () => {
    const { rep, first, second, end } = await consulting();
    await change(rep, first, { held: false });
    end(first);
    await waitForStatus(app, rep, { callSid: first, status: "completed" });
    await waitFor(rep, second, { line: 1, held: false });
    const third: string = (await consult(rep, second, speaking)).json().callSid;
    await waitFor(rep, third, { status: "in-progress", line: 2 });
    expect(await waitFor(rep, second, { held: true })).toMatchObject({ line: 1 });
    await hangUp(rep, second);
    await hangUp(rep, third);
  });

  test("is refused for the same reasons as a call, and leaves the first call unchanged", async () => {
    const rep = await newRep(app);
    const doNotCall = "+12025550199";
    await app.ask("POST", "/v1/do-not-call", { token: rep.token, body: { phoneNumber: doNotCall } });
    const rings = await dial(app, rep, ringing);
    expect((await consult(rep, rings, echo)).json().detail).toBe(
      "Wait until the call is answered before adding another.",
    );
    await hangUp(rep, rings);
    const callSid = await talk(rep);
    for (const [number, problem] of [
      ["911", "phone-number-invalid"],
      ["+4930901820", "country-not-allowed"],
      ["+19005550123", "number-blocked"],
      [doNotCall, "do-not-call"],
    ] as const)
      expect({ number, type: (await consult(rep, callSid, number)).json().type }).toEqual({
        number,
        type: `/api/docs#${problem}`,
      });
    const stranger = await newRep(app);
    const lead = { firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+12025550101" };
    const { id: leadId } = (await app.ask("POST", "/v1/leads", { token: stranger.token, body: lead })).json();
    const body = { phoneNumber: echo, leadId };
    const foreign = await app.ask("POST", `/v1/calls/${callSid}/consultation`, { token: rep.token, body });
    expect([typeof leadId, foreign.statusCode]).toEqual(["string", 404]);
    await app.ask("PUT", "/v1/limits", { token: rep.token, body: { concurrentCalls: 1 } });
    expect((await consult(rep, callSid, echo)).json().type).toBe("/api/docs#limit-reached");
    expect(await readCall(app, rep, callSid)).toMatchObject({ status: "in-progress", held: false });
    await hangUp(rep, callSid);
  });

  test("moves the audio of both lines to another tab, and reports both when the audio is gone", async () => {
    const { rep, first, second } = await consulting("sandbox");
    const browser = await openTestBrowser();
    const { mediaConnectionId } = (await post(rep, second, "media", { offer: browser.offer })).json();
    for (const callSid of [first, second])
      expect(await readCall(app, rep, callSid)).toMatchObject({ mediaConnectionId });
    await app.ask("DELETE", `/v1/media-connections/${mediaConnectionId}`, { token: rep.token });
    for (const callSid of [first, second])
      await waitFor(rep, callSid, { mediaConnectionId: null, status: "in-progress" });
    await browser.close();
    await hangUp(rep, second);
    await hangUp(rep, first);
  });
});
