import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { expect, onTestFinished, test } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { until } from "../testing/start-program.ts";

const sound = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });

type ToReinvite = 200 | 481 | 488;

const defaultContact = (port: number): string => `sip:peer@127.0.0.1:${port}`;

/** A far end that answers, and responds to a re-INVITE as the test says. */
async function openFarEnd(toReinvite: ToReinvite, contact: typeof defaultContact) {
  const farEnd = await openSipPeer({
    onHeard(heard) {
      const again = heard.header("to")?.includes("tag=") ?? false;
      const headers = [`Contact: <${contact(farEnd.port)}>`];
      if (heard.what === "INVITE" && again && toReinvite !== 200) heard.reply(toReinvite);
      else if (heard.what === "INVITE") heard.reply(200, { headers, body: sound });
      else if (/^(BYE|OPTIONS)$/.test(heard.what)) heard.reply(200);
    },
  });
  onTestFinished(() => farEnd.close());
  return farEnd;
}

/** An answered call that its process leaves and another one resumes, on another port. */
async function resumeCall(
  toReinvite: ToReinvite,
  { contact = defaultContact, ...moved }: { offer?: string; contact?: typeof defaultContact } = {},
) {
  const farEnd = await openFarEnd(toReinvite, contact);
  const open = () =>
    openSipTrunk(settings.parse({ host: `127.0.0.1:${farEnd.port}`, transport: "udp", authentication: "ip" }));
  const former = await open();
  const toFormer: CarrierLegEvent["type"][] = [];
  const dialled = await former.dial({
    callSid: "CA1",
    to: "+12025550101",
    callerId: null,
    offer: sound,
    onEvent: ({ type }) => toFormer.push(type),
  });
  await until("the answer", () => toFormer.includes("answered"));
  const snapshot = JSON.parse(JSON.stringify(dialled.snapshot?.({ withKeys: true })));
  dialled.leave?.();
  await former.close();
  expect(toFormer).toEqual(["answered"]);
  expect(farEnd.heard("BYE")).toEqual([]);

  const next = await open();
  onTestFinished(() => next.close());
  const events: CarrierLegEvent[] = [];
  const leg = await next.resume?.({ snapshot, ...moved, onEvent: (event) => events.push(event) });
  await until("word of where we are now", () => farEnd.heard("INVITE").length === 2);
  const [first, second] = farEnd.heard("INVITE");
  if (!leg || !first || !second) throw new Error("the call did not go on");
  return { farEnd, leg, events, first, second };
}

const cseq = (heard: { header(name: string): string | undefined }): number =>
  Number.parseInt(heard.header("cseq") ?? "");
const version = (body: string): number => Number(/^o=\S+ \d+ (\d+)/m.exec(body)?.[1]);

test("a call resumes in another process: in its dialog, with higher CSeqs and our new address, and either side can hang up", async () => {
  const { farEnd, leg, events, first, second } = await resumeCall(200);
  expect(second.header("call-id")).toBe(first.header("call-id"));
  expect(second.header("from")).toBe(first.header("from"));
  expect(cseq(second)).toBeGreaterThan(cseq(first));
  expect(version(second.body)).toBeGreaterThan(version(first.body));
  expect(second.header("contact")).not.toBe(first.header("contact"));
  await until("its acknowledgement", () => farEnd.heard("ACK").length === 2);
  await leg.setHold?.(true);
  expect(farEnd.heard("INVITE").at(-1)?.body).toContain("a=sendonly");
  await leg.hangUp();
  expect(farEnd.heard("BYE")).toHaveLength(1);
  // Its previous state is unknown here.
  expect(events).toEqual([{ type: "resumed" }, { type: "still-there" }]);
});

test.each<[string, typeof defaultContact]>([
  ["a semicolon in its user", (port) => `sip:+1202;npdi;rn=+1%20x@127.0.0.1:${port}`],
  ["a phone number alone", () => "tel:+12025550101"],
])("a far end whose Contact has %s is called by exactly that in the other process", async (_, contact) => {
  const { farEnd, leg, second } = await resumeCall(200, { contact });
  const uri = contact(farEnd.port);
  expect(second.text.split(" ", 2)).toEqual(["INVITE", uri]);
  await until("its acknowledgement", () => farEnd.heard("ACK").length === 2);
  await leg.hangUp();
  expect(farEnd.heard("BYE").at(-1)?.text.split(" ", 2)).toEqual(["BYE", uri]);
});

test("a call that the far end ended meanwhile is reported as hung up there", async () => {
  const { events } = await resumeCall(481);
  await until("its end", () => events.length > 0);
  expect(events).toEqual([{ type: "ended", cause: { reason: "hung-up-there", sip: 481, q850: 16 } }]);
});

test("a call whose far end refuses our new port is hung up, and one whose audio still arrives continues", async () => {
  const unheard = await resumeCall(488, { offer: sound.replace("m=audio 9 ", "m=audio 19 ") });
  await until("its end", () => unheard.events.length > 0);
  expect(unheard.events).toEqual([{ type: "ended", cause: { reason: "carrier-refused", sip: 488, q850: 88 } }]);
  expect(unheard.farEnd.heard("BYE")).toHaveLength(1);

  const heard = await resumeCall(488);
  await until("word of it", () => heard.events.length > 0);
  expect(heard.events).toEqual([{ type: "still-there" }]);
  await heard.leg.hangUp();
});
