import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { decodeSound } from "@leadline/adapter-kit/rtp/g711";
import { frequenciesOf } from "@leadline/adapter-kit/rtp/key-tones";
import { openStage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import type { Received } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import type { RawRtpPacket } from "@leadline/carrier-sip-trunk/testing/start-raw-rtp";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, describe, expect, test, vi } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { placeRawTrunkCall } from "../../../testing/raw-trunk-call.ts";
import { testAppWithCalls } from "../../../testing/test-calls.ts";

const stage = await openStage();
afterAll(() => stage.close());
const node = await stage.keep(startRtpengine(stage.peers, { folder: stage.folder }));
const inProcess = testAppWithCalls(carrierModules);
const onNode = testAppWithCalls(carrierModules, { rtpengines: [{ host: "127.0.0.1", port: node.port }] });

const withoutEvents = (sdp: string) =>
  sdp.replace(" 0 101\r\n", " 0\r\n").replaceAll(/^a=(rtpmap|fmtp):101 .*\r\n/gm, "");

/** The key whose two tones make up nearly all of the signal, or null. */
function keyIn({ payload }: RawRtpPacket): string | null {
  const samples = decodeSound(payload, "PCMU");
  if (!samples.some((each) => each > 4_000)) return null;
  const found = [..."0123456789*#ABCD"].find((key) => {
    const { row, column } = frequenciesOf(key);
    return Math.min(shareAt(row, samples), shareAt(column, samples)) > 0.25;
  });
  return found ?? null;
}

/** Twenty of these tests and their browsers share one thread, so each packet is analysed only once. */
const judged = new WeakMap<RawRtpPacket, string>();
function keyOnceIn(packet: RawRtpPacket): string {
  const key = judged.get(packet) ?? keyIn(packet) ?? " ";
  judged.set(packet, key);
  return key;
}

/** Keys detected as tones. Each tone lasts at least 60 ms and is followed by a pause. */
function tonesIn(packets: readonly RawRtpPacket[]): string {
  const heard = packets.filter(({ payloadType }) => payloadType === 0).map(keyOnceIn);
  return [...heard.join("").matchAll(/([^ ])\1{2,}/g)].map(([, key]) => key).join("");
}

const signalIn = ({ body }: Received) => /^Signal=(.)\r\nDuration=\d+\r\n/.exec(body)?.[1];

describe.concurrent.each([
  { named: "in process", app: inProcess },
  { named: "rtpengine", app: onNode },
])("keys, $named", ({ app }) => {
  const placeCall = async (options: Parameters<typeof placeRawTrunkCall>[1]) => {
    const call = await placeRawTrunkCall(app, options);
    await vi.waitFor(() => expect(call.rtp.received.length).toBeGreaterThan(25));
    return call;
  };
  const press = (call: Awaited<ReturnType<typeof placeRawTrunkCall>>, digits: string) =>
    app.ask("POST", `/v1/calls/${call.callSid}/digits`, { token: call.rep.token, body: { digits } });

  test.for([{ headers: ["Allow: INVITE, ACK, BYE, INFO"] }, { headers: [] }])(
    "are sent by INFO to a far end that supports INFO but no telephone events, with $headers",
    async ({ headers }, context) => {
      const call = await placeCall({ sdp: withoutEvents, headers, context });
      const pressing = press(call, "12#");
      for (const key of "12#") {
        // Skip retransmissions of the previous INFO, which follow if its response takes half a second.
        const info = await call.peer.next((message) => message.what === "INFO" && signalIn(message) === key);
        expect(info.header("content-type")).toBe("application/dtmf-relay");
        call.peer.reply(info, "200 OK");
      }
      expect((await pressing).statusCode).toBe(204);
      await call.rtp.listen(300);
      expect(tonesIn(call.rtp.received)).toBe("");
    },
  );

  test.for(["405 Method Not Allowed", "415 Unsupported Media Type", "481 Call Does Not Exist", "501 Not Implemented"])(
    "are sent as tones if the far end answers INFO with %s, and INFO isn't tried again",
    async (status, context) => {
      const call = await placeCall({ sdp: withoutEvents, context });
      const pressing = press(call, "159");
      call.peer.reply(await call.peer.next("INFO"), status);
      expect((await pressing).statusCode).toBe(204);
      expect((await press(call, "*0D#")).statusCode).toBe(204);
      await vi.waitFor(() => expect(tonesIn(call.rtp.received)).toBe("159*0D#"));
      // Retransmissions may follow if the response takes half a second; by CSeq they are one request.
      expect(new Set(call.peer.all("INFO").map((info) => info.header("cseq"))).size).toBe(1);
    },
  );

  test("are sent as tones while INFO stays unanswered, and INFO isn't tried again", async (context) => {
    const call = await placeCall({ sdp: withoutEvents, context });
    expect((await press(call, "159")).statusCode).toBe(204);
    await vi.waitFor(() => expect(tonesIn(call.rtp.received)).toBe("159"));
    // It is still being retransmitted, so it hasn't simply run out.
    const before = call.peer.all("INFO").length;
    await vi.waitFor(() => expect(call.peer.all("INFO").length).toBeGreaterThan(before));
    expect((await press(call, "*0D#")).statusCode).toBe(204);
    await vi.waitFor(() => expect(tonesIn(call.rtp.received)).toBe("159*0D#"));
    expect(new Set(call.peer.all("INFO").map((info) => info.header("cseq"))).size).toBe(1);
  });

  test("are sent as tones at once if the far end's Allow header lists no INFO", async (context) => {
    const headers = ["Allow: INVITE, ACK, BYE"];
    const call = await placeCall({ sdp: withoutEvents, headers, context });
    expect((await press(call, "42")).statusCode).toBe(204);
    await vi.waitFor(() => expect(tonesIn(call.rtp.received)).toBe("42"));
    expect(call.peer.all("INFO")).toEqual([]);
  });

  test.for([101, 96, 127])(
    "are sent as telephone events with payload type %i, as negotiated in the answer",
    async (number, context) => {
      const sdp = (described: string) => described.replaceAll(/\b101\b/g, String(number));
      const call = await placeCall({ sdp, context });
      await call.rtp.sendTone({ to: call.to, hz: 700, ms: 400 });
      expect((await press(call, "17")).statusCode).toBe(204);
      const events = () => call.rtp.received.filter(({ payload }) => payload.length === 4);
      await vi.waitFor(() => expect(new Set(events().map(({ payload }) => payload[0]))).toEqual(new Set([1, 7])));
      expect(new Set(events().map(({ payloadType }) => payloadType))).toEqual(new Set([number]));
    },
  );
});
