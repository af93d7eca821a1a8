import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { MediaPlane } from "../../../media-plane/media-plane.ts";
import type { Room } from "../../../media-plane/room.ts";
import { createLiveCalls } from "../live-calls.ts";
import { applyRoom, changeAudio, moveAudio } from "./apply-room.ts";

/** Applies each room only when let() is called, and records what was requested. */
function createSlowPlane() {
  const rooms: Room[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const apply: MediaPlane["apply"] = async (room) => {
    rooms.push(room);
    const done = Promise.withResolvers<void>();
    waiting.push(done);
    await done.promise;
  };
  return {
    mediaPlane: { apply } as MediaPlane,
    rooms,
    /** Lets the pending room succeed, or fail with an error. */
    async let(error?: Error) {
      await turn();
      const next = waiting.shift();
      if (error) next?.reject(error);
      else next?.resolve();
      await turn();
    },
  };
}

function openCall() {
  const plane = createSlowPlane();
  const deps = { mediaPlane: plane.mediaPlane, liveCalls: createLiveCalls() };
  const of = { organisationId: "o", userId: "u", carrierId: "c", startedAtMs: 0 };
  const connectionAt = (legId: string) => ({ id: legId, userId: "u", legId });
  const live = deps.liveCalls.begin({ ...of, callSid: "1", carrierLegId: "A", connection: connectionAt("old page") });
  live.status = "in-progress";
  const lastBrowser = () => plane.rooms.at(-1)?.participants.find(({ legId }) => legId.endsWith("page"))?.legId;
  return { ...plane, deps, live, connectionAt, lastBrowser };
}

test("changes made while the audio moves to another tab take effect there", async () => {
  const { deps, live, connectionAt, lastBrowser, let: goOn } = openCall();
  const moved = moveAudio(deps, [live], connectionAt("new page"));
  const muted = changeAudio(deps, new Map([[live, { muted: true }]]));
  await goOn();
  expect(lastBrowser()).toBe("new page");
  await goOn();
  await Promise.all([moved, muted]);
  expect(live.connection?.legId).toBe("new page");
});

test("audio that can't be moved stays where it was", async () => {
  const { deps, live, connectionAt, lastBrowser, let: goOn } = openCall();
  const moved = moveAudio(deps, [live], connectionAt("new page"));
  await Promise.all([expect(moved).rejects.toThrow("closed"), goOn(new Error("closed"))]);
  const arranged = applyRoom(deps, live);
  await goOn();
  await goOn();
  await arranged;
  expect(lastBrowser()).toBe("old page");
});

test("rolls back a change that the audio didn't follow, except where it has been changed again", async () => {
  const { deps, live, rooms, let: goOn } = openCall();
  const changed = changeAudio(deps, new Map([[live, { muted: true, hold: "requested" as const }]]));
  live.hold = "for-other-line";
  const both = goOn(new Error("closed")).then(() => goOn());
  await expect(changed).rejects.toThrow("closed");
  await both;
  expect([live.muted, live.hold]).toEqual([false, "for-other-line"]);
  // The media server is asked to restore the previous room.
  expect(rooms).toHaveLength(2);
});

test("the remaining call keeps its audio if the other one hangs up while a room is applied", async () => {
  const { deps, live, rooms, let: goOn } = openCall();
  const of = { organisationId: "o", userId: "u", carrierId: "c", startedAtMs: 0 };
  const other = deps.liveCalls.begin({ ...of, callSid: "2", carrierLegId: "B", connection: live.connection, line: 2 });
  other.status = "in-progress";
  other.hold = "for-other-line";
  const arranged = applyRoom(deps, live);
  await goOn();
  await arranged;
  const changed = changeAudio(deps, new Map([[live, { muted: true }]]));
  await turn();
  other.status = "completed";
  await goOn(new Error("closed"));
  await goOn();
  await changed;
  expect(live.muted).toBe(true);
  expect(rooms.at(-1)?.participants.map(({ legId }) => legId)).not.toContain("B");
});
