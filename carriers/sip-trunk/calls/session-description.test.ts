import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { describe, expect, it } from "vitest";

import { createLocalDescription, isReachable } from "./session-description.ts";

const ours = writeRtpDescription({
  host: "127.0.0.1",
  port: 4_000,
  codecs: ["PCMU", "PCMA"],
  telephoneEventType: 101,
});
const theirs = (...lines: string[]): string =>
  ["v=0", "o=- 7 7 IN IP4 10.0.0.1", "s=-", "c=IN IP4 10.0.0.1", "t=0 0", ...lines, ""].join("\r\n");
const line = (sdp: string | null, start: string): string | undefined =>
  sdp?.split("\r\n").find((each) => each.startsWith(start));
const versionOf = (sdp: string | null): number => Number(line(sdp, "o=")?.split(" ")[2]);

describe("our side of a trunk's call", () => {
  it("offers the trunk's codecs in the trunk's order, and keys", () => {
    const offer = createLocalDescription(ours, ["PCMA"]).offer();
    expect(readRtpDescription(offer)).toEqual({
      host: "127.0.0.1",
      port: 4_000,
      codecs: ["PCMA"],
      telephoneEventType: 101,
    });
    expect(line(offer, "m=")).toBe("m=audio 4000 RTP/AVP 8 101");
  });

  it("keeps its session and counts its versions, whatever it is told in", () => {
    const local = createLocalDescription(ours, ["PCMU", "PCMA"]);
    const told = [local.offer(), local.answer(theirs("m=audio 9 RTP/AVP 0")), local.offer()];
    expect(new Set(told.map((sdp) => line(sdp, "o=")?.split(" ")[1])).size).toBe(1);
    expect(told.map(versionOf)).toEqual([0, 1, 2].map((i) => versionOf(told[0] ?? null) + i));
  });

  it.each([
    ["sendrecv", "sendrecv", "sendonly"],
    ["sendonly", "recvonly", "inactive"],
    ["recvonly", "sendonly", "sendonly"],
    ["inactive", "inactive", "inactive"],
  ])("answers %s with %s, and with %s while we hold", (offered, answered, held) => {
    const local = createLocalDescription(ours, ["PCMU"]);
    const offer = theirs("m=audio 9 RTP/AVP 0", `a=${offered}`);
    expect(line(local.answer(offer), "a=")).toBeDefined();
    expect(local.answer(offer)).toContain(`a=${answered}\r\n`);
    local.setHeld(true);
    expect(local.answer(offer)).toContain(`a=${held}\r\n`);
    expect(local.offer()).toContain("a=sendonly\r\n");
  });

  it("takes an address of zeros for hold, as it was before RFC 3264", () => {
    const zeros = theirs("m=audio 9 RTP/AVP 0").replaceAll("10.0.0.1", "0.0.0.0");
    expect(createLocalDescription(ours, ["PCMU"]).answer(zeros)).toContain("a=recvonly\r\n");
    expect(isReachable(zeros)).toBe(false);
    expect(isReachable(theirs("m=audio 9 RTP/AVP 0"))).toBe(true);
  });

  it("takes the sound and closes the other lines, in their order", () => {
    const answer = createLocalDescription(ours, ["PCMU"]).answer(
      theirs("m=video 8 RTP/AVP 31", "m=audio 9 RTP/AVP 0 96", "a=rtpmap:96 telephone-event/8000"),
    );
    const lines = answer?.split("\r\n").filter((each) => each.startsWith("m="));
    expect(lines).toEqual(["m=video 0 RTP/AVP 31", "m=audio 4000 RTP/AVP 0 96"]);
  });

  it("has no answer to foreign codecs, nor to encryption that it does not speak", () => {
    const local = createLocalDescription(ours, ["PCMA"]);
    expect(local.answer(theirs("m=audio 9 RTP/AVP 18"))).toBeNull();
    expect(local.answer(theirs("m=audio 9 RTP/AVP 0"))).toBeNull();
    expect(local.answer(theirs("m=audio 9 RTP/SAVP 8"))).toBeNull();
  });
});
