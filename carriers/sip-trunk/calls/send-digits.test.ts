import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import { until } from "../testing/start-program.ts";

let raw: RawTrunk;
beforeEach(async () => {
  raw = await openRawTrunk();
});
afterEach(() => raw.close());

async function talking() {
  const call = await raw.dial();
  raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
  await call.answered();
  const offer = (digits: string) => call.leg.offerDigits?.(digits);
  return { ...call, offer };
}
/** Retransmissions of one INFO have its CSeq. */
const infos = () => new Set(raw.peer.all("INFO").map((info) => info.header("cseq"))).size;

describe("keys offered by INFO", () => {
  it("are given back while the first INFO is still unanswered, and none is offered again", async () => {
    const call = await talking();
    expect(await call.offer("12")).toBe("12");
    const info = await raw.peer.next("INFO");
    expect(info.body).toMatch(/^Signal=1\r\n/);
    // It is still being retransmitted, so it hasn't simply run out.
    const before = raw.peer.all("INFO").length;
    await until("it is sent once more", () => raw.peer.all("INFO").length > before);
    raw.peer.reply(info, "200 OK");
    expect(await call.offer("3")).toBe("3");
    expect(infos()).toBe(1);
  });

  it("are given back from the one that is refused, and none is offered again", async () => {
    const call = await talking();
    const offered = call.offer("123");
    raw.peer.reply(await raw.peer.next("INFO"), "200 OK");
    raw.peer.reply(await raw.peer.next(({ body }) => body.startsWith("Signal=2\r\n")), "501 Not Implemented");
    expect(await offered).toBe("23");
    expect(await call.offer("4")).toBe("4");
    expect(infos()).toBe(2);
  });
});
