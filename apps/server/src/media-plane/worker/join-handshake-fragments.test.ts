import { expect, test } from "vitest";
import { createFragmentJoiner } from "./join-handshake-fragments.ts";

const body = Buffer.from(Array.from({ length: 3000 }, (_, i) => i % 251));

/** A DTLS record with one fragment of a handshake message (RFC 6347, sections 4.1 and 4.2.2). */
function record(options: { from: number; to: number; seq?: number; epoch?: number }): Buffer {
  const { from, to, seq = 0, epoch = 0 } = options;
  const header = Buffer.alloc(25);
  header.set([22, 254, 253]);
  header.writeUInt16BE(epoch, 3);
  header.writeUInt16BE(12 + to - from, 11);
  header.writeUInt8(1, 13);
  header.writeUIntBE(body.length, 14, 3);
  header.writeUInt16BE(seq, 17);
  header.writeUIntBE(from, 19, 3);
  header.writeUIntBE(to - from, 22, 3);
  return Buffer.concat([header, body.subarray(from, to)]);
}
const first = record({ from: 0, to: 1200 });
const second = record({ from: 1200, to: 2400 });
const last = record({ from: 2400, to: 3000 });
const whole = record({ from: 0, to: 3000 });

test("a fragmented message is passed on once, whole, whatever the order of its fragments", () => {
  const join = createFragmentJoiner();
  expect(join(last)).toHaveLength(0);
  expect(join(last)).toHaveLength(0);
  expect(join(first)).toHaveLength(0);
  expect(join(second).equals(whole)).toBe(true);
});

test("fragments that share a datagram are joined, and the other records in it are kept", () => {
  const join = createFragmentJoiner();
  const other = record({ from: 0, to: 3000, seq: 7 });
  expect(join(Buffer.concat([first, second, other])).equals(other)).toBe(true);
  expect(join(Buffer.concat([last, other])).equals(Buffer.concat([whole, other]))).toBe(true);
});

test("fragments of a message that is resent under another sequence number aren't mixed with the old ones", () => {
  const join = createFragmentJoiner();
  join(last);
  join(record({ from: 0, to: 1200, seq: 1 }));
  expect(join(record({ from: 1200, to: 2400, seq: 1 }))).toHaveLength(0);
});

test("a stranger's many first fragments are dropped, so that they can't fill the memory", () => {
  const join = createFragmentJoiner();
  join(first);
  for (let seq = 1; seq <= 4; seq++) join(record({ from: 0, to: 1200, seq }));
  join(second);
  expect(join(last)).toHaveLength(0);
});

test("whole messages, encrypted records and truncated ones pass untouched", () => {
  const join = createFragmentJoiner();
  const encrypted = record({ from: 0, to: 100, epoch: 1 });
  for (const datagram of [whole, encrypted, Buffer.from([22, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])])
    expect(join(datagram).equals(datagram)).toBe(true);
});
