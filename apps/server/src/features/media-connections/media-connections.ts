import { LegGone, type MediaPlane, NoMediaServer, UnusableOffer } from "../../media-plane/media-plane.ts";
import { Problem } from "../../http/problem.ts";
import { newConnectionId } from "./connection-id.ts";

/** A browser tab's audio connection: its id on the wire, and its leg in the media plane. */
export interface MediaConnection {
  id: string;
  userId: string;
  legId: string;
}

/** Each of a user's tabs holds one; above this the longest idle is closed. */
const maxConnectionsPerPerson = 6;

/**
 * Maps connections to browser legs and their people. They live as long as this process: a browser whose leg is gone
 * opens another.
 */
export function createMediaConnections(mediaPlane: MediaPlane, { processKey }: { processKey: number }) {
  const byId = new Map<string, MediaConnection>();
  const byLegId = new Map<string, MediaConnection>();
  const closeListeners = new Set<(connection: MediaConnection) => void>();
  let isInUse: (connection: MediaConnection) => boolean = () => false;
  let legOfCall: (userId: string) => string | undefined = () => undefined;

  const forget = (connection: MediaConnection) => {
    if (!byId.delete(connection.id)) return;
    byLegId.delete(connection.legId);
    for (const listener of closeListeners) listener(connection);
  };

  mediaPlane.onBrowserLegState(({ legId, state }) => {
    const connection = byLegId.get(legId);
    if (connection && state === "closed") forget(connection);
  });

  const closeLongestIdle = async (userId: string) => {
    const theirs = [...byId.values()].filter((connection) => connection.userId === userId);
    const idle = theirs.filter((connection) => !isInUse(connection));
    for (const connection of idle.slice(0, Math.max(0, theirs.length - maxConnectionsPerPerson))) {
      forget(connection);
      await mediaPlane.close(connection.legId);
    }
  };

  const legOf = (userId: string): string | undefined =>
    legOfCall(userId) ?? [...byId.values()].findLast((connection) => connection.userId === userId)?.legId;

  const find = (id: string, userId: string): MediaConnection => {
    const connection = byId.get(id);
    if (connection?.userId === userId) return connection;
    throw connectionGone();
  };

  return {
    find,
    /** Whether this process holds it. */
    has: (id: string): boolean => byId.has(id),
    /** A leg that further legs of this person may share a room with: in their call, or in a tab of theirs. */
    legOf,

    /** `carrierLegId`: the leg of the call that it is opened for. */
    async open(
      userId: string,
      offer: string,
      options: { carrierLegId?: string } = {},
    ): Promise<{ connection: MediaConnection; answer: string }> {
      const colocateWith = legOf(userId);
      const placement = { ...options, ...(colocateWith !== undefined && { colocateWith }) };
      const { legId, answer } = await mediaPlane.openBrowserLeg(offer, placement).catch(toProblem);
      const connection = { id: newConnectionId(processKey), userId, legId };
      byId.set(connection.id, connection);
      byLegId.set(legId, connection);
      await closeLongestIdle(userId);
      return { connection, answer };
    },

    /** A connection of another process, whose leg continues here. */
    restore(connection: MediaConnection): MediaConnection {
      const restored = byId.get(connection.id);
      if (restored) return restored;
      byId.set(connection.id, connection);
      byLegId.set(connection.legId, connection);
      return connection;
    },

    async restart(id: string, userId: string, offer: string): Promise<{ answer: string }> {
      return mediaPlane.restartBrowserLeg(find(id, userId).legId, offer).catch(toProblem);
    },

    async close(id: string, userId: string): Promise<void> {
      const connection = byId.get(id);
      if (connection?.userId !== userId) throw new Problem("not-found", "This audio connection is already closed.");
      forget(connection);
      await mediaPlane.close(connection.legId);
    },

    onClosed(listener: (connection: MediaConnection) => void): void {
      closeListeners.add(listener);
    },

    /** Asks the calls which connections they use, so that none of those is closed as idle, and who they belong to. */
    followCalls(calls: {
      isInUse: (connection: MediaConnection) => boolean;
      legOfCall: (userId: string) => string | undefined;
    }): void {
      ({ isInUse, legOfCall } = calls);
    },
  };
}
export type MediaConnections = ReturnType<typeof createMediaConnections>;

const connectionGone = (): Problem =>
  new Problem("media-connection-gone", "This tab’s audio connection has ended. Open a new one.");

/** Converts the media plane's errors to problems. */
export function toProblem(error: unknown): never {
  if (error instanceof LegGone) throw connectionGone();
  if (error instanceof NoMediaServer)
    throw new Problem(
      "media-unavailable",
      "No media server is responding. Try again in a moment, and tell your administrator if this continues.",
    );
  if (error instanceof UnusableOffer)
    throw new Problem("sdp-not-usable", "The browser offered no audio that a phone call can carry (PCMU or PCMA).");
  throw error;
}
