import { randomBytes } from "node:crypto";

import { expect, it } from "vitest";

import { drawCname, isRtcp, middleOf, ntpTime, readRtcp, type Report, writeReport } from "./rtcp.ts";

const block = {
  ssrc: 0xfedcba98,
  fractionLost: 200,
  lost: 70_000,
  highestSequence: 0x0002fffe,
  jitter: 81,
  lastReport: 0xdeadbeef,
  sinceLastReport: 65_536,
};
const sender = { ntp: ntpTime(Date.UTC(2026, 0, 1)), timestamp: 0xffffff00, packets: 500, octets: 80_000 };
const reports: Report[] = [
  { ssrc: 0x89abcdef, sender, blocks: [block] },
  { ssrc: 0x89abcdef, sender: null, blocks: [block, { ...block, ssrc: 2, lost: 0 }] },
  { ssrc: 1, sender, blocks: [] },
];

it("reads the reports that it writes, with the sender's name and BYE", () => {
  for (const report of reports)
    for (const isLast of [false, true])
      for (const cname of ["a", "ab", "abc", "abcd", drawCname()]) {
        const written = writeReport(report, { cname, isLast });
        expect(written.length % 4).toBe(0);
        expect(isRtcp(written)).toBe(true);
        expect(readRtcp(written)).toEqual({
          report,
          names: new Map([[report.ssrc, cname]]),
          gone: isLast ? [report.ssrc] : [],
        });
      }
});

it("reads another implementation's report, byte for byte", () => {
  const rr = "81c90007 11111111 22222222 40fffffe 00010002 00000003 00000004 00000005";
  const withNegativeLoss = Buffer.from(rr.replaceAll(" ", ""), "hex");
  expect(readRtcp(withNegativeLoss)?.report).toEqual({
    ssrc: 0x11111111,
    sender: null,
    blocks: [
      {
        ssrc: 0x22222222,
        fractionLost: 64,
        lost: -2,
        highestSequence: 65_538,
        jitter: 3,
        lastReport: 4,
        sinceLastReport: 5,
      },
    ],
  });
});

it("returns the time since 1900, whose middle bits are in a report block", () => {
  const ntp = ntpTime(500);
  expect(ntp).toEqual({ seconds: 2_208_988_800, fraction: 2 ** 31 });
  expect(middleOf(ntp)).toBe((((2_208_988_800 & 0xffff) << 16) | 0x8000) >>> 0);
});

it("finds nothing in truncated data, and never throws on noise", () => {
  for (const report of reports) {
    const whole = writeReport(report, { cname: "name", isLast: true });
    const ofReport = whole.length - 16 - 8;
    for (let length = 0; length < ofReport; length++) expect(readRtcp(whole.subarray(0, length))).toBeNull();
    for (let i = 0; i < 2_000; i++) {
      const changed = Buffer.from(whole);
      changed[i % whole.length] = i >> 3;
      readRtcp(changed);
    }
  }
  for (let i = 0; i < 2_000; i++)
    readRtcp(Buffer.concat([Buffer.from([0x80 | (i % 32), 200 + (i % 4)]), randomBytes(i % 80)]));
  expect(readRtcp(Buffer.from("80cc0000", "hex"))).toBeNull();
});
