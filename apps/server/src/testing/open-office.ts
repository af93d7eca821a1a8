import type { Call } from "@leadline/contract/calls";
import type { HangUpCause } from "@leadline/contract/call-state";
import { expect, vi } from "vitest";
import { toneFile } from "./left-messages.ts";
import { connectSwitchboard } from "./open-switchboard.ts";
import type { TestApp } from "./test-app.ts";
import { newRep, type Rep } from "./test-calls.ts";

export const greetingHz = 620;

export async function uploadGreeting(app: TestApp, rep: Rep, content: Buffer, name = "hello.wav") {
  const form = new FormData();
  form.append("file[]", new File([new Uint8Array(content)], name));
  return app.ask("POST", "/v1/voicemail/greetings", { token: rep.token, form });
}

/** An organisation with voicemail and a short greeting. */
export async function openOffice(app: TestApp) {
  const rep = await newRep(app);
  const { id: greetingId } = (await uploadGreeting(app, rep, toneFile(greetingHz, 600))).json();
  const body = { enabled: true, greetingId, ringSeconds: 5 };
  expect((await app.ask("PUT", "/v1/voicemail", { token: rep.token, body })).statusCode).toBe(200);
  return { rep, putThrough: await connectSwitchboard(app, rep) };
}

/** Waits for the newest missed call, ended for that reason. */
export const untilMissed = (app: TestApp, rep: Rep, reason: HangUpCause["reason"]): Promise<Call> =>
  vi.waitFor(async () => {
    const missed = await app.ask("GET", "/v1/calls?direction=inbound&answered=false", { token: rep.token });
    const [call] = missed.json();
    expect(call?.cause?.reason).toBe(reason);
    return call;
  }, 20_000);
