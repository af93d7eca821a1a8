import {
  closeMediaConnection,
  getMediaConfiguration,
  openMediaConnection,
  renegotiateMediaConnection,
} from "@leadline/contract/media-connections";
import type { TurnSettings } from "../../config.ts";
import { route } from "../../http/route.ts";
import type { MediaConnections } from "./media-connections.ts";
import { mediaConfiguration } from "./turn-credentials.ts";

export const mediaConnectionRoutes = (connections: MediaConnections, turn: TurnSettings | null) => [
  route(getMediaConfiguration, async ({ caller }) => mediaConfiguration(turn, caller.userId)),
  route(openMediaConnection, async ({ caller, body }) => {
    const { connection, answer } = await connections.open(caller.userId, body.offer);
    return { mediaConnectionId: connection.id, answer };
  }),
  route(renegotiateMediaConnection, async ({ caller, params, body }) =>
    connections.restart(params.mediaConnectionId, caller.userId, body.offer),
  ),
  route(closeMediaConnection, async ({ caller, params }) => {
    await connections.close(params.mediaConnectionId, caller.userId);
    return undefined;
  }),
];
