import { setTimeout as sleep } from "node:timers/promises";

import type { IncomingResponseMessage, OutgoingRequestMessage } from "sip.js/lib/core/index.js";
import { NameAddrHeader } from "sip.js/lib/grammar/index.js";
import { type SipTarget, targetKey } from "./transport/sip-target.ts";
import { hostPort, readHostAndPort } from "./transport/sip-text.ts";
import type { Trunk } from "./trunk.ts";

export type RegistrationState =
  | { status: "registering" }
  /** at, by: the server, as the settings name it. */
  | { status: "registered"; at: string }
  | ({ status: "refused"; by: string } & RegistrationRefusal)
  | { status: "unreachable" };

/** Any final answer that leaves us unregistered. */
export interface RegistrationRefusal {
  /** 200 if the server took the request and didn't keep us all the same. */
  sip: number;
  /** The server that it names instead; null if it names none. */
  redirectedTo: string | null;
  /** It asked for a password in a way that we don't support. */
  isChallengeUnknown: boolean;
}

const firstRetryMs = 1_000;
const lastRetryMs = 60_000;
/** Wrong credentials, said again and again, lock accounts. */
const refusedRetryMs = 300_000;
const silentAfterMs = 8_000;
/** setTimeout's own limit is 24 days, and no registrar's word is taken beyond a day. */
const mostSeconds = 86_400;

interface Outcome {
  /** Null where nothing came back. */
  status: number | null;
  /** Who was asked last. */
  server: string;
  expiresSeconds: number;
  leastSeconds: number | null;
  redirectedTo: string | null;
  isChallengeUnknown: boolean;
}

const silentOutcome: Outcome = {
  status: null,
  server: "",
  expiresSeconds: 0,
  leastSeconds: null,
  redirectedTo: null,
  isChallengeUnknown: false,
};

/** Trying again soon is no use, and may lock the account; a server that's unwell may be back in a moment. */
const isFinal = (status: number): boolean =>
  (status >= 300 && status < 500 && status !== 408 && status !== 480) || status >= 600;

/** Keeps the account's place at the registrar (RFC 3261, section 10): refreshed in time, and sought again where it was lost. */
export function keepRegistered(trunk: Trunk, onState: (state: RegistrationState) => void) {
  const callId = `${crypto.randomUUID()}`;
  let cseq = 0;
  let seconds = trunk.settings.registrationSeconds;
  let retryMs = firstRetryMs;
  /** After an attempt, the next that something unforeseen asks for waits as long. */
  let againMs = firstRetryMs;
  let attemptedMs = -Infinity;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let state: RegistrationState = { status: "registering" };
  let registeredAt: SipTarget | null = null;
  let running = false;
  let waiting: ((next: RegistrationState) => void)[] = [];

  function become(next: RegistrationState): void {
    state = next;
    onState(next);
    for (const told of waiting) told(next);
    waiting = [];
  }

  function schedule(afterMs: number, onDue?: () => void): void {
    if (timer) clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      onDue?.();
      void attempt();
    }, afterMs);
  }

  /** Whoever loses us after each answer is asked ever more rarely; one that refuses us keeps to its own pause. */
  function again(): void {
    if (running || (state.status === "refused" && isFinal(state.sip))) return;
    schedule(Math.max(0, attemptedMs + againMs - performance.now()));
    againMs = Math.min(againMs * 2, lastRetryMs);
  }

  async function attempt(): Promise<void> {
    if (running || stopped) return;
    running = true;
    attemptedMs = performance.now();
    let outcome = await tryTargets(seconds);
    if (outcome.status === 423 && outcome.leastSeconds !== null && outcome.leastSeconds > seconds) {
      seconds = Math.min(outcome.leastSeconds, mostSeconds);
      outcome = await tryTargets(seconds);
    }
    running = false;
    if (stopped) return;
    const { status, server, redirectedTo, isChallengeUnknown } = outcome;
    if (status !== null && status < 300 && outcome.expiresSeconds > 0) {
      retryMs = firstRetryMs;
      become({ status: "registered", at: server });
      const refreshMs = Math.max(1, outcome.expiresSeconds - 30, outcome.expiresSeconds * 0.8) * 1000;
      schedule(refreshMs, () => (againMs = firstRetryMs));
      return;
    }
    if (status === null) become({ status: "unreachable" });
    else become({ status: "refused", by: server, sip: status, redirectedTo, isChallengeUnknown });
    if (status !== null && isFinal(status)) return schedule(refusedRetryMs);
    schedule(retryMs * (0.75 + Math.random() / 2));
    retryMs = Math.min(retryMs * 2, lastRetryMs);
  }

  async function tryTargets(expires: number): Promise<Outcome> {
    const targets = await trunk.targets.inOrder().catch(() => []);
    let unwell: Outcome | null = null;
    for (const target of targets) {
      const outcome = await register(target, expires);
      trunk.targets.note(target, outcome.status === null ? "silent" : "answered");
      if (outcome.status !== null && outcome.status < 300) registeredAt = target;
      if (outcome.status !== null && outcome.status !== 503) return outcome;
      if (outcome.status !== null) unwell ??= outcome;
    }
    return unwell ?? silentOutcome;
  }

  function register(target: SipTarget, expires: number): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const server = trunk.serverOf(target);
    const message = trunk.request("REGISTER", target, {
      to: trunk.accountUri,
      callId,
      cseq: ++cseq,
      headers: [`Expires: ${expires}`],
    });
    const told = ({ message: response }: { message: IncomingResponseMessage }): void => {
      // The answer to a challenge has taken a number of its own; a late one sets none back.
      cseq = Math.max(cseq, message.cseq);
      const least = Number(response.getHeader("min-expires"));
      const status = response.statusCode ?? 500;
      const [redirected] = status >= 300 && status < 400 ? response.getHeaders("contact") : [];
      const place = readHostAndPort(redirected ?? "");
      resolve({
        status: response.hasHeader("via") ? status : null,
        server,
        expiresSeconds: Math.min(grantedSeconds(response, target) ?? expires, expires),
        leastSeconds: Number.isInteger(least) && least > 0 ? least : null,
        redirectedTo: place && (place.port === null ? place.host : hostPort(place.host, place.port)),
        isChallengeUnknown: (status === 401 || status === 407) && !carriesCredentials(message),
      });
    };
    trunk.core.request(message, { onAccept: told, onReject: told, onRedirect: told });
    const silent = setTimeout(() => resolve(silentOutcome), silentAfterMs);
    return promise.finally(() => clearTimeout(silent));
  }

  /**
   * The registrar lists every contact of the account (section 10.3, step 8), other devices' too. Where it has written ours
   * anew, as for one behind a NAT, the first to end may be it.
   */
  function grantedSeconds(response: IncomingResponseMessage, target: SipTarget): number | null {
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

  void attempt();
  return {
    state: (): RegistrationState => state,
    /** Registers anew, now, and tells what came of it; as it stands where nothing came in time. */
    async settled(withinMs: number): Promise<RegistrationState> {
      const { promise, resolve } = Promise.withResolvers<RegistrationState>();
      waiting.push(resolve);
      schedule(0);
      return Promise.race([promise, sleep(withinMs, undefined, { ref: false }).then(() => state)]);
    },
    /** A server that was away is back, perhaps without its memory. */
    again,
    /** One that isn't among those who answer may only ignore OPTIONS; else another is to know us. */
    onReached(targets: readonly SipTarget[]): void {
      const isThere = (target: SipTarget): boolean =>
        registeredAt !== null && targetKey(target) === targetKey(registeredAt);
      if (state.status === "registered" && !targets.some(isThere)) again();
    },
    /** This connection has closed: where the registrar reached us by it, it cannot any more. */
    onConnectionClosed(target: Omit<SipTarget, "serverName">): void {
      if (state.status === "registered" && registeredAt !== null && targetKey(registeredAt) === targetKey(target))
        again();
    },
    async close(): Promise<void> {
      stopped = true;
      if (timer) clearTimeout(timer);
      // Given back as a courtesy: nobody waits long for the answer.
      if (state.status === "registered") await Promise.race([tryTargets(0), sleep(500, undefined, { ref: false })]);
    },
  };
}

function readSeconds(text: string | undefined): number | null {
  const seconds = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isInteger(seconds) && seconds >= 0 ? seconds : null;
}

/** By now it was sent twice if the challenge could be answered. */
const carriesCredentials = (request: OutgoingRequestMessage): boolean =>
  request.getHeader("authorization") !== undefined || request.getHeader("proxy-authorization") !== undefined;
