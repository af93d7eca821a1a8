import {
  addToDoNotCall as addEndpoint,
  listDoNotCall as listEndpoint,
  removeFromDoNotCall as removeEndpoint,
} from "@leadline/contract/do-not-call";
import type { Database } from "../../db/database.ts";
import { route } from "../../http/route.ts";
import { addToDoNotCall } from "./add-to-do-not-call.ts";
import { listDoNotCall } from "./list-do-not-call.ts";
import { removeFromDoNotCall } from "./remove-from-do-not-call.ts";

export const doNotCallRoutes = ({ database }: { database: Database }) => [
  route(listEndpoint, async ({ caller, query, reply }) => {
    const { entries, next } = await listDoNotCall(database, { caller, query });
    if (next !== null) reply.header("link", `</api/v1/do-not-call?${next}>; rel="next"`);
    return entries;
  }),
  route(addEndpoint, async ({ caller, body }) => addToDoNotCall(database, caller, body.phoneNumber)),
  route(removeEndpoint, async ({ caller, params }) => {
    await removeFromDoNotCall(database, caller, params.phoneNumber);
    return undefined;
  }),
];
