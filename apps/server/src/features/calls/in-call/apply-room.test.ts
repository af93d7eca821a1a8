import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { MediaPlane } from "../../../media-plane/media-plane.ts";
import type { Room } from "../../../media-plane/room.ts";
import { createLiveCalls } from "../live-calls.ts";
import { applyRoom, changeSound, moveAudio } from "./apply-room.ts";

/** Applies each room when it is let, and keeps what was asked for. */
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
    /** The one that is being applied is done, or fails. */
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

test("what changes while the sound goes over to another page is heard there", async () => {
  const { deps, live, connectionAt, lastBrowser, let: goOn } = openCall();
  const moved = moveAudio(deps, [live], connectionAt("new page"));
  const muted = changeSound(deps, new Map([[live, { muted: true }]]));
  await goOn();
  expect(lastBrowser()).toBe("new page");
  await goOn();
  await Promise.all([moved, muted]);
  expect(live.connection?.legId).toBe("new page");
});

test("sound that cannot go over stays where it was", async () => {
  const { deps, live, connectionAt, lastBrowser, let: goOn } = openCall();
  const moved = moveAudio(deps, [live], connectionAt("new page"));
  await Promise.all([expect(moved).rejects.toThrow("closed"), goOn(new Error("closed"))]);
  const arranged = applyRoom(deps, live);
  await goOn();
  await goOn();
  await arranged;
  expect(lastBrowser()).toBe("old page");
});

test("a change that the sound does not follow is taken back, but for what has been changed again", async () => {
  const { deps, live, rooms, let: goOn } = openCall();
  const changed = changeSound(deps, new Map([[live, { muted: true, hold: "asked" as const }]]));
  live.hold = "for-other";
  const both = goOn(new Error("closed")).then(() => goOn());
  await expect(changed).rejects.toThrow("closed");
  await both;
  expect([live.muted, live.hold]).toEqual([false, "for-other"]);
  // What the media server was asked for is brought back.
  expect(rooms).toHaveLength(2);
});

test("who stays hears what is left where the other of two hangs up while the sound follows", async () => {
  const { deps, live, rooms, let: goOn } = openCall();
  const of = { organisationId: "o", userId: "u", carrierId: "c", startedAtMs: 0 };
  const other = deps.liveCalls.begin({ ...of, callSid: "2", carrierLegId: "B", connection: live.connection, line: 2 });
  other.status = "in-progress";
  other.hold = "for-other";
  const arranged = applyRoom(deps, live);
  await goOn();
  await arranged;
  const changed = changeSound(deps, new Map([[live, { muted: true }]]));
  await turn();
  other.status = "completed";
  await goOn(new Error("closed"));
  await goOn();
  await changed;
  expect(live.muted).toBe(true);
  expect(rooms.at(-1)?.participants.map(({ legId }) => legId)).not.toContain("B");
});
