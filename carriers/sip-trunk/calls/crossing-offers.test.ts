import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";
import type { Received } from "../testing/start-raw-peer.ts";

describe("a call with offers from both ends at once", () => {
  let raw: RawTrunk;
  beforeEach(async () => {
    raw = await openRawTrunk();
  });
  afterEach(() => raw.close());

  async function connected() {
    const call = await raw.dial();
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    await raw.peer.next("ACK");
    return { ...call, dialog: raw.peer.asCallee(call.invite) };
  }
  const answerTo = (cseq: string) =>
    raw.peer.next((message) => /^[2-6]/.test(message.what) && message.header("cseq") === cseq);

  it("refuses an UPDATE with an offer with 491 while its own offer is open, and accepts one without", async () => {
    const call = await connected();
    void call.leg.setHold?.(true);
    const ours = await raw.peer.next("INVITE");
    raw.peer.request(call.dialog, "UPDATE", { cseq: 7, body: raw.rtp.describe(["a=sendonly"]) });
    expect((await answerTo("7 UPDATE")).what).toBe("491");
    raw.peer.request(call.dialog, "UPDATE", { cseq: 8 });
    expect((await answerTo("8 UPDATE")).what).toBe("200");
    raw.peer.reply(ours, "200 OK", { body: raw.rtp.describe(["a=recvonly"]) });
    await raw.peer.next("ACK");
    expect(call.kinds()).not.toContain("held");
    raw.peer.request(call.dialog, "UPDATE", { cseq: 9, body: raw.rtp.describe() });
    expect((await answerTo("9 UPDATE")).what).toBe("200");
  });

  it.each(["488 Not Acceptable Here", "302 Moved Temporarily"])(
    "accepts an UPDATE with an offer once its own was refused with %s",
    async (refusal) => {
      const call = await connected();
      void call.leg.setHold?.(true);
      raw.peer.reply(await raw.peer.next("INVITE"), refusal);
      await raw.peer.next("ACK");
      raw.peer.request(call.dialog, "UPDATE", { cseq: 7, body: raw.rtp.describe() });
      expect((await answerTo("7 UPDATE")).what).toBe("200");
    },
  );

  it("refuses an UPDATE with an offer with 491 until the offer in its answer to an empty INVITE is answered", async () => {
    const { dialog } = await connected();
    raw.peer.request(dialog, "INVITE", { cseq: 7 });
    expect((await answerTo("7 INVITE")).what).toBe("200");
    raw.peer.request(dialog, "UPDATE", { cseq: 8, body: raw.rtp.describe() });
    expect((await answerTo("8 UPDATE")).what).toBe("491");
    raw.peer.request(dialog, "ACK", { cseq: 7, body: raw.rtp.describe() });
    raw.peer.request(dialog, "UPDATE", { cseq: 9, body: raw.rtp.describe() });
    expect((await answerTo("9 UPDATE")).what).toBe("200");
  });

  it("isn't changed by an UPDATE that it refuses during ringing", async () => {
    const versionOf = ({ body }: Received): number => Number(/^o=\S+ \S+ (\d+)/m.exec(body)?.[1]);
    const call = await raw.dial();
    raw.peer.reply(call.invite, "180 Ringing");
    await call.told("ringing");
    const dialog = raw.peer.asCallee(call.invite);
    raw.peer.request(dialog, "UPDATE", { cseq: 7, body: raw.rtp.describe() });
    expect((await answerTo("7 UPDATE")).what).toBe("491");
    raw.peer.reply(call.invite, "200 OK", { body: raw.rtp.describe() });
    await call.answered();
    void call.leg.setHold?.(true);
    const hold = await raw.peer.next("INVITE");
    // RFC 3264, section 8: each description's version is one more than the last one's.
    expect(versionOf(hold)).toBe(versionOf(call.invite) + 1);
    raw.peer.reply(hold, "200 OK", { body: raw.rtp.describe(["a=recvonly"]) });
    await raw.peer.next("ACK");
  });

  it("refuses an UPDATE with an offer with 491 until the offer in its answer to a call without one is answered", async () => {
    await raw.take(await raw.ring(raw.peer.write("INVITE", raw.place, { callId: "in" })));
    const dialog = { ...raw.peer.asCaller(await raw.peer.next("200")), place: raw.place };
    raw.peer.request(dialog, "UPDATE", { cseq: 2, body: raw.rtp.describe() });
    expect((await answerTo("2 UPDATE")).what).toBe("491");
    raw.peer.request(dialog, "ACK", { cseq: 1, body: raw.rtp.describe() });
    raw.peer.request(dialog, "UPDATE", { cseq: 3, body: raw.rtp.describe() });
    expect((await answerTo("3 UPDATE")).what).toBe("200");
  });
});
