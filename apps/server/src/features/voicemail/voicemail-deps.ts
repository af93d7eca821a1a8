import { longestVoicemailMs, maxVoicemailMs } from "@leadline/contract/voicemail";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import type { MediaPlane } from "../../media-plane/media-plane.ts";
import type { OpenCarriers } from "../carriers/open-carriers.ts";
import type { FileStore } from "../files/file-store.ts";

export interface VoicemailDeps {
  database: Database;
  mediaPlane: MediaPlane;
  carriers: OpenCarriers;
  store: FileStore;
  /** This process's key in mark-process-alive.ts. */
  processKey: number;
  bounds: VoicemailBounds;
  log: Log;
}

export interface VoicemailBounds {
  /** Per message. */
  longestMs: number;
  /** For all of an organisation's messages together. */
  maxMs: number;
  /** A message ends after the caller has been silent for this long. */
  quietMs: number;
  /** How many calls of one organisation may leave a message at once: each takes a port and a growing file. */
  maxAtOnce: number;
}

export const defaultVoicemailBounds: Omit<VoicemailBounds, "maxAtOnce"> = {
  longestMs: longestVoicemailMs,
  maxMs: maxVoicemailMs,
  quietMs: 6_000,
};
