import { createKeyListener } from "@leadline/adapter-kit/rtp/telephone-event";
import { describe, expect, it } from "vitest";

import { createKeyQueue, limitPassedKeys } from "./digit-queue.ts";

/** Everything in the queue, in order, each digit once. */
function drain(queue: ReturnType<typeof createKeyQueue>): string {
  const keys: string[] = [];
  for (let packet = queue.next(); packet; packet = queue.next())
    if (packet.first) keys.push(createKeyListener()({ timestamp: 1, payload: packet.payload }) ?? "");
  return keys.join("");
}

describe("DTMF digits queued for a far end", () => {
  it("are sent one after the other, our own and those that another far end pressed", () => {
    const queue = createKeyQueue();
    queue.add("42");
    queue.pass("7");
    queue.add("#");
    expect(queue.isEmpty()).toBe(false);
    expect(drain(queue)).toBe("427#");
    expect(queue.isEmpty()).toBe(true);
  });

  it("are at most twenty of those that another far end pressed, and all of our own", () => {
    const queue = createKeyQueue();
    for (let i = 0; i < 100; i++) queue.pass("1");
    queue.add("2".repeat(32));
    expect(drain(queue)).toBe("1".repeat(20) + "2".repeat(32));
  });

  it("are only our own once the far end that pressed the others has left; its current digit is finished", () => {
    const queue = createKeyQueue();
    queue.pass("1");
    queue.pass("3");
    queue.add("2");
    const begun = queue.next();
    queue.dropPassed();
    expect(begun?.first).toBe(true);
    const rest = Array.from({ length: 8 }, () => queue.next()?.first);
    expect(rest).toEqual(Array(8).fill(false));
    expect(drain(queue)).toBe("2");
  });

  it("from one far end come in a short burst, then slowly enough for audio in between", () => {
    const limit = limitPassedKeys();
    const passed = Array.from({ length: 500 }, () => limit.take()).filter(Boolean).length;
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThan(60);
  });
});
