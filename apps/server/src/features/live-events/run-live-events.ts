import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import { listenForEvents } from "./listen-for-events.ts";
import { createOpenStreams, type OpenStream, type OpenStreams } from "./open-streams.ts";

export interface LiveEvents {
  openStreams: OpenStreams;
  /** Called in every process when a user's sessions, or the organisations they may see, have changed. */
  onSessionChange(listener: (userId: string) => void): void;
  /** Ends every stream for good, when the server stops. */
  endStreams(): void;
  close(): Promise<void>;
}

const beatMs = 10_000;

/** Passes each notification to the streams it is meant for, and ends streams whose session may no longer see them. */
export async function runLiveEvents(database: Database, log: Log): Promise<LiveEvents> {
  const openStreams = createOpenStreams();
  const sessionListeners: ((userId: string) => void)[] = [];

  const endStale = async (streams: OpenStream[]): Promise<void> => {
    if (streams.length === 0) return;
    const sql = "select session_id, organisation_id, takes_calls from live_sessions($1)";
    const ids = [...new Set(streams.map((stream) => stream.sessionId))];
    const rows = await database.callFunction<{ session_id: string; organisation_id: string; takes_calls: boolean }>(
      "live-sessions",
      sql,
      () => [ids],
    );
    const alive = new Map(rows.map((row) => [row.session_id, row]));
    for (const stream of streams) {
      const session = alive.get(stream.sessionId);
      // A live client reconnects.
      if (session?.organisation_id !== stream.organisationId || session.takes_calls !== stream.takesCalls) stream.end();
    }
  };
  const endStaleSafely = (streams: OpenStream[]): void => {
    endStale(streams).catch((error: unknown) => log.warn({ err: error }, "open streams could not be checked"));
  };

  const listener = await listenForEvents(
    database,
    {
      onEvent(event) {
        for (const stream of openStreams.ofOrganisation(event.organisationId)) stream.receive(event);
      },
      onSessionChange(userId) {
        endStaleSafely(openStreams.all().filter((stream) => stream.userId === userId));
        for (const notify of sessionListeners) notify(userId);
      },
      onGap() {
        for (const stream of openStreams.all()) stream.catchUp();
        endStaleSafely(openStreams.all());
      },
    },
    log,
  );
  const beat = setInterval(() => {
    for (const stream of openStreams.all()) stream.beat();
    // An expired session, or a membership removed directly in the database, sends no notification.
    endStaleSafely(openStreams.all());
  }, beatMs);
  return {
    openStreams,
    onSessionChange: (told) => void sessionListeners.push(told),
    endStreams: openStreams.endAll,
    async close() {
      clearInterval(beat);
      openStreams.endAll();
      await listener.close();
    },
  };
}
