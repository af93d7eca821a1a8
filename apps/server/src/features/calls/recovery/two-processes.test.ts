import { purestShareAt } from "@leadline/adapter-kit/conformance/tone";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { Call } from "@leadline/contract/calls";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openTestBrowser, type TestBrowser } from "../../../testing/media/test-browser.ts";
import { uploadGreeting } from "../../../testing/open-office.ts";
import { connectSwitchboard, openCaller, sit, switchboard } from "../../../testing/open-switchboard.ts";
import { toneFile } from "../../../testing/left-messages.ts";
import { echo, onTwoLines, speaking } from "../../../testing/on-two-lines.ts";
import { puppets, stringed } from "../../../testing/puppet-carrier.ts";
import { joinOrganisation, registerPerson } from "../../../testing/test-app.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

// Two processes of one installation, each with its own media plane, live calls and connections.
const here = testAppWithCalls([sandbox, stringed, switchboard]);
const there = testAppWithCalls([sandbox, stringed, switchboard]);
const atHome = onTwoLines(here);
const { post, change, consult, hangUp } = onTwoLines(there);

const newBrowser = async () => {
  const browser = await openTestBrowser();
  onTestFinished(() => browser.close());
  return browser;
};
/** Whether the browser hears its own tone back from an echoing callee. */
const hearsItself = async (browser: TestBrowser) => {
  browser.sendTone(800);
  await vi.waitFor(async () => expect(purestShareAt(800, await browser.listen(500))).toBeGreaterThan(0.5));
  browser.sendTone(null);
};
const asks = (rep: Rep) => (method: "POST" | "PUT" | "DELETE", path: string, body?: object) =>
  there.ask(method, path, { token: rep.token, ...(body && { body }) });

describe("requests to a process that doesn't carry the call", () => {
  test("hang up", async () => {
    const rep = await newRep(here);
    const callSid = await atHome.talk(rep);
    expect(await hangUp(rep, callSid)).toMatchObject({ status: "completed", cause: { reason: "hung-up-here" } });
    expect(await readCall(here, rep, callSid)).toMatchObject({ status: "completed" });
    // The call is over in the process that carried it too, and its line is free.
    await atHome.hangUp(rep, await atHome.talk(rep));
  });

  test("apply mute, hold and keys, and refuse an invalid key", async () => {
    const { rep, first, second, puppet } = await atHome.consulting();
    await atHome.hangUp(rep, first);
    expect((await change(rep, second, { muted: true })).json()).toMatchObject({ muted: true });
    expect((await change(rep, second, { held: true })).json()).toMatchObject({ muted: true, held: true });
    await vi.waitFor(() => expect(puppet(second)?.holds).toEqual([true]));
    expect(await readCall(here, rep, second)).toMatchObject({ muted: true, held: true });
    expect((await post(rep, second, "digits", { digits: "12#" })).statusCode).toBe(204);
    expect((await post(rep, second, "digits", { digits: "x" })).statusCode).toBe(422);
    await hangUp(rep, second);
  });

  test("ask the carrier for a transfer, and return the carrying process's problem", async () => {
    const { rep, first, second } = await atHome.consulting("stringed", 0);
    const refused = await post(rep, first, "transfer", { phoneNumber: echo });
    expect(refused.json()).toMatchObject({ status: 409, type: "/api/docs#not-supported" });
    expect(refused.json().detail).toContain("two calls");
    await hangUp(rep, second);
    expect((await post(rep, first, "transfer", { phoneNumber: "+12025550104" })).statusCode).toBe(200);
    await vi.waitFor(() => expect(puppets.get(first)?.sentTo).toEqual(["+12025550104"]));
    await hangUp(rep, first);
  });

  test("handle a second line, a conference, and leaving the two to each other", async () => {
    const rep = await newRep(here);
    const settings = { line: "1" };
    await here.ask("POST", "/v1/carriers", { token: rep.token, body: { kind: "stringed", label: "Line", settings } });
    const first = await atHome.talk(rep);
    const { callSid: second } = (await consult(rep, first, echo)).json();
    await waitForStatus(there, rep, { callSid: second, status: "in-progress" });
    expect((await post(rep, first, "join")).json()).toMatchObject({ joinedWith: { callSid: second } });
    expect((await change(rep, second, { silenced: true })).json()).toMatchObject({ silenced: true });
    expect((await post(rep, first, "complete-transfer")).json()).toMatchObject({ line: null });
    expect(await hangUp(rep, first)).toMatchObject({ status: "completed" });
    await waitForStatus(here, rep, { callSid: second, status: "completed" });
  });

  test("attach its audio to a tab, restart ICE, move it to another tab and close it", async () => {
    const rep = await newRep(here);
    const [first, second] = [await newBrowser(), await newBrowser()];
    const ask = asks(rep);
    const callSid = await dial(here, rep, echo);
    await waitForStatus(here, rep, { callSid, status: "in-progress" });
    const brought = await ask("POST", `/v1/calls/${callSid}/media`, { offer: first.offer });
    const { mediaConnectionId, answer } = brought.json();
    await first.acceptAnswer(answer);
    await hearsItself(first);
    const healed = await ask("PUT", `/v1/media-connections/${mediaConnectionId}`, {
      offer: await first.restartOffer(),
    });
    expect(healed.statusCode).toBe(200);
    // Another tab opens a connection in advance, in the process that carries the person's call.
    const opened = (await ask("POST", "/v1/media-connections", { offer: second.offer })).json();
    await second.acceptAnswer(opened.answer);
    const moved = await ask("POST", `/v1/calls/${callSid}/media`, { mediaConnectionId: opened.mediaConnectionId });
    expect(moved.json()).toMatchObject({ mediaConnectionId: opened.mediaConnectionId });
    await hearsItself(second);
    expect((await ask("DELETE", `/v1/media-connections/${opened.mediaConnectionId}`)).statusCode).toBe(204);
    await vi.waitFor(async () => expect((await readCall(here, rep, callSid)).mediaConnectionId).toBeNull());
    await hangUp(rep, callSid);
  });

  test("a call starts in the process that has its browser's connection", async () => {
    const rep = await newRep(here);
    const browser = await newBrowser();
    const held = await here.ask("POST", "/v1/media-connections", { token: rep.token, body: { offer: browser.offer } });
    const { mediaConnectionId, answer } = held.json();
    await browser.acceptAnswer(answer);
    const started = await asks(rep)("POST", "/v1/calls", { phoneNumber: echo, mediaConnectionId });
    expect(started.json()).toMatchObject({ mediaConnectionId });
    await hearsItself(browser);
    await hangUp(rep, started.json().callSid);
  });
});

describe("a call that rings in another process", () => {
  const ringingCall = (rep: Rep): Promise<Call> =>
    vi.waitFor(async () => {
      const [call] = (await there.ask("GET", "/v1/calls?live=true", { token: rep.token })).json();
      expect(call?.status).toBe("ringing");
      return call;
    });
  const office = async () => {
    const rep = await newRep(here);
    await sit(here, rep);
    return { rep, putThrough: await connectSwitchboard(here, rep) };
  };

  test("can be answered, and both sides hear each other", async () => {
    const { rep, putThrough } = await office();
    const caller = await openCaller();
    const browser = await newBrowser();
    browser.sendTone(800);
    const heard = putThrough("+442071838750", caller);
    const { callSid } = await ringingCall(rep);
    const answered = await post(rep, callSid, "answer", { offer: browser.offer });
    expect(answered.statusCode).toBe(200);
    await browser.acceptAnswer(answered.json().answer);
    await waitForStatus(there, rep, { callSid, status: "in-progress" });
    caller.phone.sendTone(440);
    await vi.waitFor(async () => expect(purestShareAt(440, await browser.listen(500))).toBeGreaterThan(0.5));
    await hangUp(rep, callSid);
    expect(heard).toEqual(["ringing", "answered", "hung-up"]);
  });

  test("can be declined or sent to voicemail", async () => {
    const { rep, putThrough } = await office();
    const heard = putThrough();
    const { callSid } = await ringingCall(rep);
    expect((await post(rep, callSid, "decline")).statusCode).toBe(204);
    await vi.waitFor(() => expect(heard).toEqual(["ringing", "busy"]));
    const { id: greetingId } = (await uploadGreeting(here, rep, toneFile(620, 600))).json();
    await here.ask("PUT", "/v1/voicemail", { token: rep.token, body: { enabled: true, greetingId } });
    const caller = await openCaller();
    const heardNext = putThrough("+442071838750", caller);
    const next = await ringingCall(rep);
    expect((await post(rep, next.callSid, "send-to-voicemail")).statusCode).toBe(204);
    await vi.waitFor(() => expect(heardNext).toContain("answered"));
    caller.hangUp();
  });
});

describe("a person whose tab is connected to another process", () => {
  test("is rung by inbound calls here, and shown as free, on a call and away", async () => {
    const owner = await newRep(here);
    const rep = await registerPerson(here);
    await joinOrganisation(here, rep, { organisationId: owner.organisationId, role: "member" });
    const presence = async () => {
      const [teammate] = (await here.ask("GET", "/v1/teammates", { token: owner.token })).json();
      return teammate.presence;
    };
    expect(await presence()).toBe("away");
    const leave = await sit(there, rep);
    await vi.waitFor(async () => expect(await presence()).toBe("free"));

    const putThrough = await connectSwitchboard(here, owner);
    const caller = await openCaller();
    const browser = await newBrowser();
    const heard = putThrough("+442071838750", caller);
    await vi.waitFor(() => expect(heard).toEqual(["ringing"]));
    const callSid = await vi.waitFor(async () => {
      const [call] = (await there.ask("GET", "/v1/calls?live=true", { token: rep.token })).json();
      expect(call?.status).toBe("ringing");
      return call.callSid;
    });
    const answered = await post(rep, callSid, "answer", { offer: browser.offer });
    await browser.acceptAnswer(answered.json().answer);
    caller.phone.sendTone(440);
    await vi.waitFor(async () => expect(purestShareAt(440, await browser.listen(500))).toBeGreaterThan(0.5));
    expect(await presence()).toBe("in-call");
    // Nobody is free now, in either process.
    const next = putThrough("+442071838751");
    await vi.waitFor(() => expect(next).toEqual(["busy"]));
    await hangUp(rep, callSid);
    leave();
    await vi.waitFor(async () => expect(await presence()).toBe("away"));
  });

  test("keeps a call that has no audio yet", async () => {
    const rep = await newRep(here);
    await sit(there, rep);
    const callSid = await dial(here, rep, echo);
    await waitForStatus(here, rep, { callSid, status: "in-progress" });
    await sleep(18_000);
    expect(await readCall(here, rep, callSid)).toMatchObject({ status: "in-progress" });
    await hangUp(rep, callSid);
  });
});

test("a request about a call whose process has died returns a problem, and never a false success", async () => {
  const rep = await newRep(here);
  const { organisationId, id: userId } = rep;
  const callSid = `CA${crypto.randomUUID().replaceAll("-", "")}`;
  await here.database.withTransaction({ organisationId, userId }, (tx) =>
    tx
      .insertInto("calls")
      .values({
        call_sid: callSid,
        organisation_id: organisationId,
        user_id: userId,
        direction: "outbound",
        status: "in-progress",
        answered_at: new Date().toISOString(),
        phone_number: speaking,
        phone_number_typed: speaking,
        carrier: "sandbox",
        process_key: 0,
        // Another process could resume it, so it isn't ended at once.
        remembered: JSON.stringify("sealed"),
      })
      .execute(),
  );
  const refused = [
    await post(rep, callSid, "hang-up"),
    await change(rep, callSid, { muted: true }),
    await post(rep, callSid, "digits", { digits: "1" }),
  ];
  for (const answer of refused) {
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "5"]);
    expect(answer.json().detail).toContain("nothing was done");
  }
  expect(await readCall(here, rep, callSid)).toMatchObject({ status: "in-progress", muted: false });
});
