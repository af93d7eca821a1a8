import { expect, test } from "vitest";
import { reserveChannel } from "../carriers/channels/dial-permits.ts";
import { waitForFreeChannel } from "./wait-for-free-channel.ts";

/** A carrier without limits, so that no database is asked. */
const newChannel = () =>
  reserveChannel(
    { withTransaction: () => Promise.reject(new Error("An unlimited channel isn’t stored.")) },
    { organisationId: "", carrier: null, user: { seconds: 1 } },
  );

test("tries again until a channel is free", async () => {
  const free = await newChannel();
  const maxWaits: number[] = [];
  const take = async (maxWaitMs: number) => (maxWaits.push(maxWaitMs) === 1 ? null : free);
  expect(await waitForFreeChannel(null, { isWanted: () => true, patienceMs: 5_000, take })).toBe(free);
  expect(maxWaits).toHaveLength(2);
  // Less is left each time.
  expect(maxWaits.toSorted((one, other) => other - one)).toEqual(maxWaits);
  expect(maxWaits[0]).toBeLessThan(5_000);
});

test("takes no channel for a call that ended meanwhile", async () => {
  let isWanted = true;
  let isTaken = false;
  const take = async () => {
    isTaken = true;
    return newChannel();
  };
  const waiting = waitForFreeChannel(null, { isWanted: () => isWanted, patienceMs: 5_000, take });
  isWanted = false;
  expect(await waiting).toBeNull();
  expect(isTaken).toBe(false);
});

test("gives up when its time is over", async () => {
  const take = () => Promise.resolve(null);
  expect(await waitForFreeChannel(null, { isWanted: () => true, patienceMs: 100, take })).toBeNull();
});

test("uses a channel that is free at once", async () => {
  const free = await newChannel();
  const take = () => Promise.reject(new Error("One is free already."));
  expect(await waitForFreeChannel(free, { isWanted: () => true, patienceMs: 100, take })).toBe(free);
});
