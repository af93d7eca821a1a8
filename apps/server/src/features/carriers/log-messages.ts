import type { CarrierListener } from "@leadline/adapter-kit/carrier";
import type { Log } from "../../log.ts";

/** Logs what an open carrier drops and refuses, with the ids that say whose it is. */
export const logMessages = (
  log: Log,
  whose: { carrierId: string } | { organisationId: string; kind: string },
): Pick<CarrierListener, "onDropped" | "onAudioRefused"> => ({
  onDropped: (dropped) => log.warn({ ...whose, ...dropped }, "a message to a carrier was dropped"),
  onAudioRefused: (refused) =>
    log.warn({ ...whose, ...refused }, "a far end's audio address was refused: see PRIVATE_NETWORKS"),
});
