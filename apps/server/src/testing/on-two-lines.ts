import type { Call } from "@leadline/contract/calls";
import { expect, vi } from "vitest";
import { repHz } from "./media/heard-by.ts";
import { openTestBrowser } from "./media/test-browser.ts";
import { puppets } from "./puppet-carrier.ts";
import type { TestApp, TestPerson } from "./test-app.ts";
import { dial, newRep, readCall, type Rep, waitForStatus } from "./test-calls.ts";

export const speaking = "+12025550100";
export const echo = "+12025550101";
export const centsAMinute = 20_000;

/** What reps do on their two lines, in an app with the sandbox's callees and those of puppet-carrier.ts. */
export function onTwoLines(app: TestApp) {
  const post = (by: TestPerson, callSid: string, verb: string, body?: object) =>
    app.ask("POST", `/v1/calls/${callSid}/${verb}`, { token: by.token, ...(body && { body }) });
  const change = (by: TestPerson, callSid: string, body: object) =>
    app.ask("PATCH", `/v1/calls/${callSid}`, { token: by.token, body });
  const consult = (by: TestPerson, callSid: string, phoneNumber: string) =>
    app.ask("POST", `/v1/calls/${callSid}/consultation`, { token: by.token, body: { phoneNumber } });
  const hangUp = async (by: TestPerson, callSid: string): Promise<Call> => (await post(by, callSid, "hang-up")).json();

  async function talk(rep: Rep): Promise<string> {
    const callSid = await dial(app, rep, speaking);
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    return callSid;
  }

  /** Waits until the call has these properties. */
  const waitFor = (by: TestPerson, callSid: string, wanted: Partial<Call>): Promise<Call> =>
    vi.waitFor(
      async () => {
        const call = await readCall(app, by, callSid);
        expect(call).toMatchObject(wanted);
        return call;
      },
      { interval: 100 },
    );

  /** A rep who is talking on the first line, and on the second line to another callee that they have just called. */
  async function consulting(kind: "sandbox" | "stringed" = "stringed", pricePerMinute = centsAMinute) {
    const rep = await newRep(app);
    if (kind === "stringed") {
      const settings = { line: "1" };
      const body = { kind, label: "Line", settings, pricePerMinute };
      await app.ask("POST", "/v1/carriers", { token: rep.token, body });
    }
    const first = await talk(rep);
    const asked = await consult(rep, first, echo);
    expect(asked.statusCode).toBe(201);
    const second: string = asked.json().callSid;
    await waitForStatus(app, rep, { callSid: second, status: "in-progress" });
    const end = (callSid: string): void =>
      puppets.get(callSid)?.emit({ type: "ended", cause: { reason: "hung-up-there", sip: 200, q850: 16 } });
    return { rep, first, second, end, puppet: (callSid: string) => puppets.get(callSid) };
  }

  /**
   * The same with audio, through the sandbox: the rep sends a tone, and hears it when the second far end, which echoes,
   * hears the rep.
   */
  async function consultingAloud(firstIs: { muted: boolean } = { muted: false }) {
    const rep = await newRep(app);
    const browser = await openTestBrowser();
    const body = { phoneNumber: speaking, offer: browser.offer };
    const { callSid: first, answer } = (await app.ask("POST", "/v1/calls", { token: rep.token, body })).json();
    await browser.acceptAnswer(answer);
    await waitForStatus(app, rep, { callSid: first, status: "in-progress" });
    if (firstIs.muted) await change(rep, first, firstIs);
    const second: string = (await consult(rep, first, echo)).json().callSid;
    browser.sendTone(repHz);
    await waitForStatus(app, rep, { callSid: second, status: "in-progress" });
    const end = async (): Promise<void> => {
      await hangUp(rep, second);
      await hangUp(rep, first);
      await browser.close();
    };
    return { rep, browser, first, second, end };
  }

  return { post, change, consult, hangUp, talk, waitFor, consulting, consultingAloud };
}
