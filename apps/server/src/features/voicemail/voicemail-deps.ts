import { longestVoicemailMs, mostVoicemailMs } from "@leadline/contract/voicemail";
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
  /** This process, as mark-process-alive.ts knows it. */
  processKey: number;
  bounds: VoicemailBounds;
  log: Log;
}

export interface VoicemailBounds {
  /** Of one message. */
  longestMs: number;
  /** Of an organisation's messages together. */
  mostMs: number;
  /** A message ends where its caller says nothing for so long. */
  quietMs: number;
  /** Calls of one organisation that leave a message at once: each is a port, and a file that grows. */
  mostAtOnce: number;
}

export const usualVoicemailBounds: Omit<VoicemailBounds, "mostAtOnce"> = {
  longestMs: longestVoicemailMs,
  mostMs: mostVoicemailMs,
  quietMs: 6_000,
};
