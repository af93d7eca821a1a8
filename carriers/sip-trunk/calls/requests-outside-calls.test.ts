import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openRawTrunk, type RawTrunk } from "../testing/open-raw-trunk.ts";

describe("a request outside any call", () => {
  let raw: RawTrunk;
  beforeEach(async () => {
    raw = await openRawTrunk();
  });
  afterEach(() => raw.close());

  const answerTo = (cseq: string) =>
    raw.peer.next((message) => /^[2-6]/.test(message.what) && message.header("cseq") === cseq);

  describe.each([
    ["without a To tag", ""],
    ["with a To tag", ";tag=gone"],
  ])("%s", (_, tag) => {
    it.each([
      ["OPTIONS", tag === "" ? "200" : "481"],
      ["BYE", "481"],
      ["CANCEL", "481"],
      ["INFO", "481"],
      ["PRACK", "481"],
      ["UPDATE", "481"],
      ["NOTIFY", tag === "" ? "200" : "481"],
      ["REFER", "405"],
      ["MESSAGE", "405"],
      ["REGISTER", "405"],
      ["SUBSCRIBE", "405"],
    ])("%s is answered %s", async (method, status) => {
      const text = raw.peer.write(method, raw.place, { callId: "none", headers: ["Event: message-summary"] });
      raw.peer.send(text.replace(/^(To: .*)$/m, `$1${tag}`), raw.place);
      const answer = await answerTo(`1 ${method}`);
      expect(answer.what).toBe(status);
      expect(answer.header("allow")?.includes("INVITE") ?? false).toBe(
        status === "405" || (method === "OPTIONS" && status === "200"),
      );
      expect(raw.calls).toEqual([]);
    });
  });

  it.each([
    ["message-summary", "200"],
    ["Message-Summary;x=y", "200"],
    ["keep-alive", "200"],
    ["check-sync", "489"],
    ["refer", "481"],
    [null, "489"],
  ])("an unsolicited NOTIFY of %s is answered %s", async (event, status) => {
    const headers = event === null ? [] : [`Event: ${event}`];
    raw.peer.send(raw.peer.write("NOTIFY", raw.place, { callId: "none", headers }), raw.place);
    const answer = await answerTo("1 NOTIFY");
    expect([answer.what, answer.header("allow-events")]).toEqual([
      status,
      status === "489" ? "message-summary, keep-alive, refer" : undefined,
    ]);
  });
});
