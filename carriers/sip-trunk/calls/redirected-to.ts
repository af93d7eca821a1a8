import type { IncomingResponseMessage } from "sip.js/lib/core/index.js";
import { NameAddrHeader } from "sip.js/lib/grammar/index.js";

import { serversIn } from "../servers.ts";
import { noHost, VerbatimUri, withoutSeparators } from "../signalling/verbatim-uri.ts";
import { readServer } from "../targets.ts";
import type { SipTarget } from "../transport/sip-target.ts";
import type { Trunk } from "../trunk.ts";

/**
 * The destination of a 3xx within the carrier's own servers, best one first. Other destinations are never followed:
 * they could lead the call anywhere, at our cost. Neither is another number: only the dialled one, in E.164, was checked
 * against limits, prices and do-not-call. Null if there is none.
 */
export function redirectedTo(
  trunk: Trunk,
  { by, dialled }: { by: SipTarget; dialled: string },
  response: IncomingResponseMessage,
): { target: SipTarget; uri: VerbatimUri | null; user: string } | null {
  const places = response
    .getHeaders("contact")
    .map((_, i): unknown => response.parseHeader("contact", i))
    .filter((each) => each instanceof NameAddrHeader)
    .toSorted((one, other) => weight(other) - weight(one));
  for (const { uri } of places) {
    if (!(uri instanceof VerbatimUri)) continue;
    const { host, port, user } = uri.parts;
    if (mayBeNumber(uri) && !isSpelling(user, dialled)) continue;
    // A number without a host is called on the same server.
    if (host === noHost) return { target: by, uri: null, user };
    const target = ownTarget(trunk, by, { host: host.replaceAll(/[[\]]/g, "").toLowerCase(), port: port ?? null });
    if (target) return { target, uri, user };
  }
  return null;
}

/** Anything that the carrier could dial: in doubt, it is a number. */
function mayBeNumber({ parts: { scheme, user, parameters } }: VerbatimUri): boolean {
  if (scheme === "tel" || parameters.get("user")?.toLowerCase() === "phone") return true;
  if (user.startsWith("+")) return true;
  return /^(?:\p{Nd}{7}|\p{Nd}+$)/u.test(user.replaceAll(/[^\p{L}\p{N}]/gu, ""));
}

/** In international form. A national one could be another country's number in full. */
const isSpelling = (user: string, dialled: string): boolean =>
  /^(?:\+|00|011)?(\d+)$/.exec(withoutSeparators(user))?.[1] === dialled.replace(/^\+/, "");

const weight = (contact: NameAddrHeader): number => Number(contact.getParam("q") ?? 1) || 0;

function ownTarget(
  trunk: Trunk,
  by: SipTarget,
  { host, port }: { host: string; port: number | null },
): SipTarget | null {
  const known = [by, ...trunk.targets.known()];
  const isServer = serversIn(trunk.settings.host).some((server) => readServer(server).host.toLowerCase() === host);
  const fitting = known.find(
    (target) => target.address === host || (isServer && target.serverName.toLowerCase() === host),
  );
  return fitting ? { ...fitting, port: port ?? fitting.port } : null;
}
