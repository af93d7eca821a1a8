import { readLeadTimeline } from "@leadline/contract/lead-timeline";
import type { Database } from "../../db/database.ts";
import { type Route, route } from "../../http/route.ts";
import { readTimeline } from "./read-timeline.ts";

export const leadTimelineRoutes = ({ database }: { database: Database }): Route[] => [
  route(readLeadTimeline, async ({ caller, params, query, reply }) => {
    const { entries, next } = await readTimeline(database, { caller, leadId: params.id, query });
    if (next !== null) reply.header("link", `</api/v1/leads/${params.id}/timeline?${next}>; rel="next"`);
    return entries;
  }),
];
