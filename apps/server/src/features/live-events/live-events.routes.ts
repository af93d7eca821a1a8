import { streamLiveEvents as entry } from "@leadline/contract/live-events";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import { type Route, route } from "../../http/route.ts";
import type { Log } from "../../log.ts";
import type { OpenStreams } from "./open-streams.ts";
import { streamLiveEvents } from "./stream-live-events.ts";

export function liveEventRoutes(deps: { database: Database; openStreams: OpenStreams; log: Log }): Route[] {
  return [
    route(entry, async ({ caller, headers, reply }) => {
      const { userId, sessionId, organisation } = caller;
      if (organisation === null) {
        throw new Problem("no-organisation", "Join or create an organisation to receive live events.");
      }
      const lastEventId = headers["last-event-id"];
      // Hijacking the reply would lose the headers that hooks have set.
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      reply.hijack();
      streamLiveEvents({
        database: deps.database,
        streams: deps.openStreams,
        log: deps.log,
        response: reply.raw,
        caller: { userId, sessionId, organisationId: organisation.id, takesCalls: organisation.role !== "analyst" },
        lastEventId: lastEventId === undefined ? null : Number(lastEventId),
      });
      return undefined;
    }),
  ];
}
