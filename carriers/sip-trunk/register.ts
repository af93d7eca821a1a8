import type { IncomingResponseMessage } from "sip.js/lib/core/index.js";
import { NameAddrHeader } from "sip.js/lib/grammar/index.js";

import { isSigned } from "./signalling/answer-challenge.ts";
import type { SipTarget } from "./transport/sip-target.ts";
import { hostPort, readHostAndPort } from "./transport/sip-text.ts";
import type { Trunk } from "./trunk.ts";

const silentAfterMs = 8_000;

/** The result of one attempt to register (RFC 3261, section 10). */
export interface Outcome {
  /** Null if there was no response. */
  status: number | null;
  /** The last server asked. */
  server: string;
  expiresSeconds: number;
  minSeconds: number | null;
  redirectedTo: string | null;
  isChallengeUnknown: boolean;
}

export const silentOutcome: Outcome = {
  status: null,
  server: "",
  expiresSeconds: 0,
  minSeconds: null,
  redirectedTo: null,
  isChallengeUnknown: false,
};

/** The REGISTERs of one account: all have one Call-ID and growing CSeqs (section 10.2). */
export function createRegister(trunk: Trunk) {
  const callId = crypto.randomUUID();
  let cseq = 0;
  let at: SipTarget | null = null;

  /** Registers at the first target that responds. */
  async function registerAtFirst(expires: number): Promise<Outcome> {
    const targets = await trunk.targets.inOrder().catch(() => []);
    let unwell: Outcome | null = null;
    for (const target of targets) {
      const outcome = await registerAt(target, expires);
      trunk.targets.note(target, outcome.status === null ? "silent" : "answered");
      if (outcome.status !== null && outcome.status < 300) at = target;
      if (outcome.status !== null && outcome.status !== 503 && outcome.status !== 408) return outcome;
      if (outcome.status !== null) unwell ??= outcome;
    }
    return unwell ?? silentOutcome;
  }

  function registerAt(target: SipTarget, expires: number): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const server = trunk.serverOf(target);
    const message = trunk.request("REGISTER", target, {
      to: trunk.accountUri,
      callId,
      cseq: ++cseq,
      headers: [`Expires: ${expires}`],
    });
    const told = ({ message: response }: { message: IncomingResponseMessage }): void => {
      // The answer to a challenge used another CSeq; a late response must not decrease it.
      cseq = Math.max(cseq, message.cseq);
      const least = Number(response.getHeader("min-expires"));
      const status = response.statusCode ?? 500;
      const [redirected] = status >= 300 && status < 400 ? response.getHeaders("contact") : [];
      const place = readHostAndPort(redirected ?? "");
      resolve({
        status: response.hasHeader("via") ? status : null,
        server,
        expiresSeconds: Math.min(grantedSeconds(trunk, response, target) ?? expires, expires),
        minSeconds: Number.isInteger(least) && least > 0 ? least : null,
        redirectedTo: place && (place.port === null ? place.host : hostPort(place.host, place.port)),
        isChallengeUnknown: (status === 401 || status === 407) && !isSigned(message),
      });
    };
    trunk.core.request(message, { onAccept: told, onReject: told, onRedirect: told });
    const silent = setTimeout(() => resolve(silentOutcome), silentAfterMs);
    return promise.finally(() => clearTimeout(silent));
  }

  return {
    register: registerAtFirst,
    /** The target that accepted the last registration; null before the first. */
    at: (): SipTarget | null => at,
  };
}

/**
 * The registrar lists every contact of the account (section 10.3, step 8), including other devices'. If it has
 * rewritten ours, as behind a NAT, the contact that expires first may be ours.
 */
function grantedSeconds(trunk: Trunk, response: IncomingResponseMessage, target: SipTarget): number | null {
  const header = readSeconds(response.getHeader("expires"));
  const ours = response
    .getHeaders("contact")
    .map((_, i): unknown => response.parseHeader("contact", i))
    .filter((each) => each instanceof NameAddrHeader)
    .filter(({ uri }) => uri.user === trunk.core.configuration.contact.uri.user);
  const place = trunk.transport.placedAt(target);
  const exactly = ours.filter(
    ({ uri }) => place !== null && uri.host.replaceAll(/[[\]]/g, "") === place.host && uri.port === place.port,
  );
  const granted = (exactly.length > 0 ? exactly : ours)
    .map((contact) => readSeconds(contact.getParam("expires") ?? undefined) ?? header)
    .filter((each) => each !== null);
  const kept = granted.filter((each) => each > 0);
  if (kept.length > 0) return Math.min(...kept);
  return granted.length > 0 ? 0 : header;
}

function readSeconds(text: string | undefined): number | null {
  const seconds = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isInteger(seconds) && seconds >= 0 ? seconds : null;
}
