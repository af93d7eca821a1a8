import type { InboundCall } from "@leadline/adapter-kit/carrier";
import type { IncomingRequestMessage } from "sip.js/lib/core/index.js";

import { sdpIn } from "../signalling/session-body.ts";
import type { SipTarget } from "../transport/sip-target.ts";
import { sourceOf } from "../transport/via.ts";
import type { Trunk } from "../trunk.ts";
import { callerOf } from "./caller-of.ts";
import { chooseLine, type MediaEncryption } from "./choose-line.ts";
import { numberCalled } from "./number-called.ts";
import { ownHeaders } from "./own-headers.ts";
import { isAudioRefused } from "./place-audio.ts";
import { encryptionOver } from "./encryption-over.ts";
import { whyTooBrief } from "./session-interval.ts";

/** What an INVITE from the trunk asks for, before anyone rings. */
export interface AskedCall {
  named: Pick<InboundCall, "to" | "from" | "fromName" | "verification" | "forwardedBy" | "headers">;
  /** The caller's description; null if the offer is left to us. */
  offered: string | null;
  /** Where it came from. */
  target: SipTarget | null;
  /** Null: encryption is required, and this call arrived over a transport that can't carry keys. */
  sealing: MediaEncryption | null;
  /** Whether the called number may ring here. */
  isOurs: boolean;
  /** Whether its audio is usable under the settings. */
  isServed: boolean;
  /** The refusal of an INVITE whose session interval is too short; null if it is long enough. */
  tooBrief: { statusCode: number; extraHeaders: string[] } | null;
  /** How long the caller waits (RFC 3261, section 13.3.1); null if it doesn't say. */
  patienceMs: number | null;
}

const maxPatienceSeconds = 86_400;

/** called: the user in the request URI. */
export function readInvite(trunk: Trunk, message: IncomingRequestMessage, called: string): AskedCall {
  const { settings } = trunk;
  const offered = sdpIn(message) || null;
  const number = numberCalled(settings, { requestUser: called, toUser: message.to.uri.user });
  const source = sourceOf(message);
  const sealing = encryptionOver(source?.protocol ?? "UDP", settings.mediaEncryption);
  const expires = /^\s*(\d{1,9})\s*$/.exec(message.getHeader("expires") ?? "")?.[1];
  return {
    named: { to: number.number, ...callerOf(message), headers: ownHeaders(message) },
    offered,
    target: source && { ...source, serverName: trunk.targets.serverNameAt(source.address) },
    sealing,
    isOurs: number.isOurs,
    isServed: sealing !== null && (offered === null || isServed(trunk, offered, sealing, source?.address ?? null)),
    tooBrief: whyTooBrief(message, settings.sessionSeconds),
    patienceMs: expires === undefined ? null : Math.min(Number(expires), maxPatienceSeconds) * 1000,
  };
}

function isServed(trunk: Trunk, offered: string, sealing: MediaEncryption, peer: string | null): boolean {
  const line = chooseLine(offered, { codecs: trunk.settings.codecs, sealing, isOffer: true });
  return line !== null && !isAudioRefused(trunk, line.alone, peer);
}
