import {
  closeMediaConnection,
  getMediaConfiguration,
  openMediaConnection,
  renegotiateMediaConnection,
} from "@leadline/contract/media-connections";
import type { TurnSettings } from "../../config.ts";
import { type Identity, route } from "../../http/route.ts";
import type { MediaConnections } from "./media-connections.ts";
import { mediaConfiguration } from "./turn-credentials.ts";

interface Owners {
  ofConnection(caller: Identity, mediaConnectionId: string): Promise<number | null>;
  ofPerson(context: { caller: Identity }): Promise<number | null>;
}

export const mediaConnectionRoutes = (connections: MediaConnections, turn: TurnSettings | null, owners: Owners) => [
  route(getMediaConfiguration, async ({ caller }) => mediaConfiguration(turn, caller.userId)),
  route(
    openMediaConnection,
    async ({ caller, body }) => {
      const { connection, answer } = await connections.open(caller.userId, body.offer);
      return { mediaConnectionId: connection.id, answer };
    },
    { owner: owners.ofPerson },
  ),
  route(
    renegotiateMediaConnection,
    async ({ caller, params, body }) => connections.restart(params.mediaConnectionId, caller.userId, body.offer),
    { owner: ({ caller, params }) => owners.ofConnection(caller, params.mediaConnectionId) },
  ),
  route(
    closeMediaConnection,
    async ({ caller, params }) => {
      await connections.close(params.mediaConnectionId, caller.userId);
      return undefined;
    },
    { owner: ({ caller, params }) => owners.ofConnection(caller, params.mediaConnectionId) },
  ),
];
