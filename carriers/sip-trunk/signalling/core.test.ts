import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { tortureMessages } from "../testing/torture-messages.ts";
import { TrunkCore } from "./core.ts";

const messages = tortureMessages();
const source = { protocol: "UDP", address: "192.0.2.9", port: 5060, connectionId: null } as const;

/** The result for each message: the response's status, "rings", or null if it is dropped with a log line. */
const outcomes: Record<string, number | "rings" | null> = {
  // In an unknown dialog.
  wsinv: 481,
  intmeth: 405,
  esc01: "rings",
  escnull: 405,
  esc02: 405,
  lwsdisp: 200,
  // Without a branch, as before RFC 3261.
  longreq: "rings",
  // The first of the two; in a datagram the second one is ignored.
  dblreq: 405,
  semiuri: 200,
  transports: 200,
  mpart01: 405,
  unreason: null,
  noreason: null,
  badinv01: "rings",
  clerr: 400,
  ncl: 400,
  scalar02: null,
  scalarlg: null,
  quotbal: 400,
  ltgtruri: "rings",
  lwsruri: 400,
  lwsstart: "rings",
  trws: 200,
  escruri: "rings",
  baddate: "rings",
  regbadct: 405,
  badaspec: 200,
  baddn: 200,
  badvers: 505,
  mismatch01: 400,
  mismatch02: 400,
  bigcode: null,
  badbranch: 200,
  insuf: null,
  unkscm: 416,
  novelsc: 416,
  unksm2: 400,
  bext01: 420,
  invut: 415,
  regaut01: 405,
  multi01: 400,
  mcl01: 400,
  bcast: null,
  zeromf: 200,
  cparam01: 405,
  cparam02: 405,
  regescrt: 405,
  // Video as well as audio: the audio is accepted.
  sdp01: "rings",
  // Without a Contact, as before RFC 3261.
  inv2543: 400,
};

describe("RFC 4475's messages", () => {
  let core: TrunkCore;
  let sent: string[];
  let rings: number;
  beforeEach(() => {
    sent = [];
    rings = 0;
    core = new TrunkCore({
      user: "agent",
      domain: "example.com",
      credentials: null,
      send: (text) => {
        sent.push(text);
        return Promise.resolve();
      },
      onInvite: () => void rings++,
      onUpdate: () => {},
    });
  });
  afterEach(() => core.dispose());

  it("are all here, each as long as it claims", () => {
    expect([...messages.keys()].toSorted()).toEqual(Object.keys(outcomes).toSorted());
    expect(messages.size).toBe(49);
    const lies = new Set(["clerr", "ncl", "mcl01", "dblreq", "inv2543"]);
    for (const [name, bytes] of messages) {
      if (lies.has(name)) continue;
      const text = bytes.toString("latin1");
      const said = /^(?:content-length|l)[ \t]*:[ \t]*(\d+)/im.exec(text)?.[1];
      expect([name, text.length - text.indexOf("\r\n\r\n") - 4]).toEqual([name, Number(said)]);
    }
  });

  it.each([
    ["TLS", 1],
    ["UDP", 0],
  ] as const)("a sips call over %s rings %i times", (protocol, times) => {
    const lines = ["INVITE sips:+442079460123@example.com SIP/2.0", "Via: SIP/2.0/TLS 192.0.2.9;branch=z9hG4bKsips"];
    const rest = ["From: <sips:a@example.com>;tag=a", "To: <sips:b@example.com>", "Call-ID: sips", "CSeq: 1 INVITE"];
    const text = [...lines, ...rest, "Contact: <sips:a@192.0.2.9>", "Max-Forwards: 70", "Content-Length: 0", "", ""];
    core.receive(text.join("\r\n"), { ...source, protocol });
    expect(rings).toBe(times);
  });

  it.each(Object.entries(outcomes))("%s is answered, rings or is dropped: %s", (name, outcome) => {
    const dropped = core.receive((messages.get(name) ?? Buffer.alloc(0)).toString("utf8"), source);
    expect(dropped !== null).toBe(outcome === null);
    expect(rings).toBe(outcome === "rings" ? 1 : 0);
    const statuses = sent.map((text) => Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1]));
    expect(statuses).toEqual(typeof outcome === "number" ? [outcome] : []);
  });
});
