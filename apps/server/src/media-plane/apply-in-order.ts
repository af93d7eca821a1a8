import type { MediaPlane } from "./media-plane.ts";
import type { Room } from "./room.ts";

/** Applies rooms that share a leg one after the other, and skips a room that is older than one already requested. */
export function applyInOrder(plane: MediaPlane): MediaPlane {
  const applying = new Map<string, Promise<unknown>>();
  const revisions = new Map<string, number>();

  function apply(room: Room): Promise<void> {
    const legIds = room.participants.map(({ legId }) => legId);
    const { revision } = room;
    if (revision !== undefined) {
      if (legIds.some((legId) => revision < (revisions.get(legId) ?? revision))) return Promise.resolve();
      for (const legId of legIds) revisions.set(legId, revision);
    }
    const before = legIds.map((legId) => applying.get(legId));
    const done = Promise.allSettled(before).then(() => plane.apply(room));
    for (const legId of legIds) applying.set(legId, done);
    return done;
  }

  function forget(legId: string): void {
    applying.delete(legId);
    revisions.delete(legId);
  }
  plane.onBrowserLegState(({ legId, state }) => state === "closed" && forget(legId));

  async function close(legId: string): Promise<void> {
    forget(legId);
    await plane.close(legId);
  }

  return { ...plane, apply, close };
}
