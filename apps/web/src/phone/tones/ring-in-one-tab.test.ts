import { expect, test, vi } from "vitest";
import { ringInOneTab } from "./ring-in-one-tab.ts";

/** Like a browser's: one at a time, whichever tab requests it. */
function openLocks(): Pick<LockManager, "request"> {
  let last: Promise<unknown> = Promise.resolve();
  let held = 0;
  async function request(
    name: string,
    { signal, ifAvailable = false }: LockOptions,
    work: (lock: { name: string } | null) => Promise<unknown>,
  ): Promise<unknown> {
    if (ifAvailable && held > 0) return work(null);
    held += 1;
    const mine = last.then(() => {
      signal?.throwIfAborted();
      return work({ name });
    });
    last = mine.catch(() => {}).then(() => (held -= 1));
    return mine;
  }
  return { request } as unknown as Pick<LockManager, "request">;
}

/** A tab's ringtone; a tab without a click yet makes no sound. */
function openTab(locks: Pick<LockManager, "request"> | undefined, { mayPlay = true, graceMs = 10 } = {}) {
  let rings = false;
  let begun = 0;
  const start = async () => {
    begun += 1;
    return (rings = mayPlay);
  };
  const ring = ringInOneTab({ start, stop: () => void (rings = false) }, { locks, graceMs });
  return { ring, rings: () => rings, begun: () => begun };
}

test("one of several tabs rings, and the next one takes over when that one no longer does", async () => {
  const locks = openLocks();
  const [first, second] = [openTab(locks), openTab(locks)];
  for (const { ring } of [first, second]) void ring.start();
  await vi.waitFor(() => expect([first.rings(), second.rings()]).toEqual([true, false]));
  first.ring.stop();
  await vi.waitFor(() => expect([first.rings(), second.rings()]).toEqual([false, true]));
  second.ring.stop();
  expect(second.rings()).toBe(false);
});

test("a tab that the browser keeps silent leaves it to another", async () => {
  const locks = openLocks();
  const [silent, heard] = [openTab(locks, { mayPlay: false }), openTab(locks)];
  for (const { ring } of [silent, heard]) void ring.start();
  await vi.waitFor(() => expect([silent.rings(), heard.rings()]).toEqual([false, true]));
  heard.ring.stop();
});

test("a tab that was stopped while another one rang stays silent, and rings for the next call", async () => {
  const locks = openLocks();
  const [first, second] = [openTab(locks), openTab(locks, { graceMs: 60_000 })];
  void first.ring.start();
  const asked = second.ring.start();
  await vi.waitFor(() => expect(first.rings()).toBe(true));
  // The call is over: it ends in one tab, and a moment later in the other.
  first.ring.stop();
  await new Promise((resolve) => setTimeout(resolve));
  second.ring.stop();
  expect([await asked, second.begun()]).toEqual([false, 0]);
  void second.ring.start();
  await vi.waitFor(() => expect(second.rings()).toBe(true));
  second.ring.stop();
});

test("without Web Locks it rings anyway", async () => {
  const { ring, rings } = openTab(undefined);
  expect([await ring.start(), rings()]).toEqual([true, true]);
});
