import type { DialRequest } from "@leadline/adapter-kit/carrier";
import type { OutgoingRequestMessage } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { callerShown, dialledAs } from "./caller-shown.ts";
import type { Hop, Tried } from "./hops.ts";
import { minSessionSeconds } from "./session-timer.ts";
import type { LocalDescription } from "./session-description.ts";

/** The INVITE of a call over this hop, with our offer and session timers (RFC 4028, section 7.1). */
export function writeInvite(
  trunk: Trunk,
  request: DialRequest,
  { hop, tried, local }: { hop: Hop; tried: Tried; local: LocalDescription },
): { message: OutgoingRequestMessage; asked: { sessionSeconds: number; sealing: Hop["sealing"] } } {
  const { settings } = trunk;
  const { minSeconds = 0, inTheClear = false } = tried;
  const sealing = inTheClear ? "never" : hop.sealing;
  local.reachedAt(hop.ourAddress);
  local.setEncryption(sealing, "RTP/SAVP");
  const caller = callerShown(trunk, request, hop);
  const sessionSeconds = Math.max(settings.sessionSeconds, minSeconds);
  const number = dialledAs(settings.numberFormat, request.to);
  const message = trunk.request("INVITE", hop.target, {
    user: number,
    to: trunk.uriOf(number),
    ...caller.from,
    ...tried.place,
    ...tried.as,
    body: local.offer(),
  });
  message.extraHeaders.push(
    ...caller.headers,
    `Session-Expires: ${sessionSeconds}`,
    `Min-SE: ${Math.max(Math.min(minSessionSeconds, settings.sessionSeconds), minSeconds)}`,
  );
  return { message, asked: { sessionSeconds, sealing } };
}
