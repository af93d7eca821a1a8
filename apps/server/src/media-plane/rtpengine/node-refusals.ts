import { UnusableOffer } from "../media-plane.ts";
import { NodeRefused } from "./ng-client.ts";

export const isFull = (error: unknown): boolean =>
  error instanceof NodeRefused && /ran out of ports/i.test(error.message);

/** An rtpengine refuses what it can't parse. */
export function refuseOffer(error: unknown): never {
  if (error instanceof NodeRefused) throw new UnusableOffer(error.message);
  throw error;
}
