import { expect, test } from "vitest";
import { createEventStreamParser, type StreamEvent } from "./parse-event-stream.ts";

function parse(pieces: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const feed = createEventStreamParser((event) => events.push(event));
  for (const piece of pieces) feed(piece);
  return events;
}
const stream =
  ': hello\r\n\r\nid: 7\r\nevent: call.updated\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata:x\n\nevent: lost\n\n';

test("reads events with ids, names and several lines of data, and skips comments", () => {
  expect(parse([stream])).toEqual([
    { id: "7", type: "call.updated", data: '{"a":\n1}' },
    { id: "7", type: "message", data: "x" },
  ]);
});

test("reads the same wherever the stream is cut", () => {
  const whole = parse([stream]);
  for (let cut = 1; cut < stream.length; cut += 1) {
    expect(parse([stream.slice(0, cut), stream.slice(cut)])).toEqual(whole);
  }
  expect(parse([...stream])).toEqual(whole);
});

test("keeps an unfinished event back", () => {
  expect(parse(["data: half\n"])).toEqual([]);
});
