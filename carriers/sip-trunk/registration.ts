import { setTimeout as sleep } from "node:timers/promises";

import { createRegister, type Outcome, silentOutcome } from "./register.ts";
import { type SipTarget, targetKey } from "./transport/sip-target.ts";
import type { Trunk } from "./trunk.ts";

export type RegistrationState =
  | { status: "registering" }
  /** at, by: the server, as configured. */
  | { status: "registered"; at: string }
  | ({ status: "refused"; by: string } & RegistrationRefusal)
  | { status: "unreachable" };

/** Any final response that leaves us unregistered. */
export interface RegistrationRefusal {
  /** 200 if the server accepted the request but didn't list us. */
  sip: number;
  /** The server that it redirects to; null if there is none. */
  redirectedTo: string | null;
  /** It challenged us with an unsupported method. */
  isChallengeUnknown: boolean;
}

const firstRetryMs = 1_000;
const lastRetryMs = 60_000;
/** Repeated wrong credentials lock accounts. */
const refusedRetryMs = 300_000;
/** setTimeout's own limit is 24 days; we cap a registrar's interval at one day. */
const maxSeconds = 86_400;

/** Retrying soon would fail again, and may lock the account; an overloaded server may recover in a moment. */
const isFinal = (status: number): boolean =>
  (status >= 300 && status < 500 && status !== 408 && status !== 480) || status >= 600;

function stateAfter({ status, server, expiresSeconds, redirectedTo, isChallengeUnknown }: Outcome): RegistrationState {
  if (status === null) return { status: "unreachable" };
  if (status < 300 && expiresSeconds > 0) return { status: "registered", at: server };
  return { status: "refused", by: server, sip: status, redirectedTo, isChallengeUnknown };
}

/** Keeps the account registered (RFC 3261, section 10): refreshes in time, and registers again if it was lost. */
export function keepRegistered(trunk: Trunk, onState: (state: RegistrationState) => void) {
  const { register: send, at } = createRegister(trunk);
  /** A request that can't even be written counts as unanswered: it is no reason for the process to end. */
  const register = (expires: number): Promise<Outcome> => send(expires).catch(() => silentOutcome);
  let seconds = trunk.settings.registrationSeconds;
  let retryMs = firstRetryMs;
  /** The delay before the next retry after an unexpected loss. */
  let againMs = firstRetryMs;
  let attemptedMs = -Infinity;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let state: RegistrationState = { status: "registering" };
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

  /** If a server loses us after each response, the retries become rarer; a server that refuses us has its own pause. */
  function again(): void {
    if (running || (state.status === "refused" && isFinal(state.sip))) return;
    schedule(Math.max(0, attemptedMs + againMs - performance.now()));
    againMs = Math.min(againMs * 2, lastRetryMs);
  }

  async function attempt(): Promise<void> {
    if (running || stopped) return;
    running = true;
    attemptedMs = performance.now();
    let outcome = await register(seconds);
    if (outcome.status === 423 && outcome.minSeconds !== null && outcome.minSeconds > seconds) {
      seconds = Math.min(outcome.minSeconds, maxSeconds);
      outcome = await register(seconds);
    }
    running = false;
    if (stopped) return;
    become(stateAfter(outcome));
    if (state.status === "registered") {
      retryMs = firstRetryMs;
      const refreshMs = Math.max(1, outcome.expiresSeconds - 30, outcome.expiresSeconds * 0.8) * 1000;
      return schedule(refreshMs, () => (againMs = firstRetryMs));
    }
    if (state.status === "refused" && isFinal(state.sip)) return schedule(refusedRetryMs);
    schedule(retryMs * (0.75 + Math.random() / 2));
    retryMs = Math.min(retryMs * 2, lastRetryMs);
  }

  function isWhereRegistered(target: Omit<SipTarget, "serverName">): boolean {
    const registeredAt = at();
    return registeredAt !== null && targetKey(target) === targetKey(registeredAt);
  }

  void attempt();
  return {
    state: (): RegistrationState => state,
    /** Registers now and returns the result, or the current state if there is none in time. */
    async settled(withinMs: number): Promise<RegistrationState> {
      const { promise, resolve } = Promise.withResolvers<RegistrationState>();
      waiting.push(resolve);
      schedule(0);
      return Promise.race([promise, sleep(withinMs, undefined, { ref: false }).then(() => state)]);
    },
    /** A server that was down is back, and may have lost our registration. */
    again,
    /** A server that isn't among those that respond may only ignore OPTIONS; otherwise another one must register us. */
    onReached(targets: readonly SipTarget[]): void {
      if (state.status === "registered" && !targets.some(isWhereRegistered)) again();
    },
    /** This connection has closed: a registrar that uses it for our calls can't reach us any more. */
    onConnectionClosed(target: Omit<SipTarget, "serverName">): void {
      if (state.status === "registered" && isWhereRegistered(target)) again();
    },
    async close(): Promise<void> {
      stopped = true;
      if (timer) clearTimeout(timer);
      // Unregistering is a courtesy: no one waits long for the response.
      if (state.status === "registered") await Promise.race([register(0), sleep(500, undefined, { ref: false })]);
    },
  };
}
