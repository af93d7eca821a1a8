import { expect, it } from "vitest";

import { convertSound, decodeSound, encodeSound, silence } from "./g711.ts";

const everyCode = Buffer.from(Array.from({ length: 256 }, (_, code) => code));

it("decodes the extremes and the quietest codes as in ITU-T G.711's tables", () => {
  expect([...decodeSound(Buffer.from([0x00, 0x80, 0xff, 0x7f, 0xfe]), "PCMU")]).toEqual([-32_124, 32_124, 0, 0, 8]);
  expect([...decodeSound(Buffer.from([0xd5, 0x55, 0xaa, 0x2a]), "PCMA")]).toEqual([8, -8, 32_256, -32_256]);
});

it.each(["PCMU", "PCMA"] as const)("encodes each decoded %s sample to a code of the same loudness", (codec) => {
  const samples = decodeSound(everyCode, codec);
  expect([...decodeSound(encodeSound(samples, codec), codec)]).toEqual([...samples]);
});

it("keeps audio within one quantising step when it is converted to the other law and back", () => {
  const there = convertSound(everyCode, "PCMU", "PCMA");
  const back = decodeSound(convertSound(there, "PCMA", "PCMU"), "PCMU");
  decodeSound(everyCode, "PCMU").forEach((sample, i) => {
    expect(Math.abs((back[i] ?? 0) - sample)).toBeLessThanOrEqual(16 + Math.abs(sample) * 0.07);
  });
});

it("decodes each law's silence to nearly nothing", () => {
  expect(Math.max(...decodeSound(silence.PCMU, "PCMU"))).toBe(0);
  expect(Math.max(...decodeSound(silence.PCMA, "PCMA"))).toBe(8);
});
