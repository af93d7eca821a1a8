import { setTimeout as sleep } from "node:timers/promises";

import type { IncomingResponseMessage } from "sip.js/lib/core/index.js";
import { NameAddrHeader } from "sip.js/lib/grammar/index.js";
import type { SipTarget } from "./transport/sip-target.ts";
import type { Trunk } from "./trunk.ts";

export type RegistrationState =
  | { status: "registering" }
  | { status: "registered" }
  /** The trunk said no: the same words will not help the next time, but its people may. */
  | { status: "refused"; sip: number }
  | { status: "unreachable" };

const firstRetryMs = 1_000;
const lastRetryMs = 60_000;
/** Wrong credentials, said again and again, lock accounts. */
const refusedRetryMs = 300_000;
const silentAfterMs = 8_000;

interface Outcome {
  /** Null where nothing came back. */
  status: number | null;
  expiresSeconds: number;
  leastSeconds: number | null;
}

/** Keeps the account's place at the registrar (RFC 3261, section 10): refreshed in time, and sought again where it was lost. */
export function keepRegistered(trunk: Trunk, onState: (state: RegistrationState) => void) {
  const callId = `${crypto.randomUUID()}`;
  let cseq = 0;
  let seconds = trunk.settings.registrationSeconds;
  let retryMs = firstRetryMs;
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

  function schedule(afterMs: number): void {
    if (timer) clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void attempt(), afterMs);
  }

  async function attempt(): Promise<void> {
    if (running || stopped) return;
    running = true;
    const outcome = await tryTargets(seconds);
    running = false;
    if (stopped) return;
    const { status } = outcome;
    if (status !== null && status < 300) {
      retryMs = firstRetryMs;
      become({ status: "registered" });
      schedule(Math.max(outcome.expiresSeconds - 30, outcome.expiresSeconds * 0.8) * 1000);
    } else if (status === 423 && outcome.leastSeconds !== null && outcome.leastSeconds > seconds) {
      seconds = outcome.leastSeconds;
      schedule(0);
    } else if (status !== null && status >= 400 && status < 500 && status !== 408 && status !== 480) {
      become({ status: "refused", sip: status });
      schedule(refusedRetryMs);
    } else {
      become({ status: "unreachable" });
      schedule(retryMs * (0.75 + Math.random() / 2));
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    }
  }

  async function tryTargets(expires: number): Promise<Outcome> {
    const targets = await trunk.targets.inOrder().catch(() => []);
    for (const target of targets) {
      const outcome = await register(target, expires);
      trunk.targets.note(target, outcome.status === null ? "silent" : "answered");
      if (outcome.status !== null && outcome.status !== 503) return outcome;
    }
    return { status: null, expiresSeconds: 0, leastSeconds: null };
  }

  function register(target: SipTarget, expires: number): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const message = trunk.request("REGISTER", target, {
      uri: trunk.domainUri,
      to: trunk.accountUri,
      callId,
      cseq: ++cseq,
      headers: [`Expires: ${expires}`],
    });
    const told = ({ message: response }: { message: IncomingResponseMessage }): void => {
      // The answer to a challenge has taken a number of its own.
      cseq = message.cseq;
      const least = Number(response.getHeader("min-expires"));
      resolve({
        status: response.hasHeader("via") ? (response.statusCode ?? 500) : null,
        expiresSeconds: grantedSeconds(response) ?? expires,
        leastSeconds: Number.isInteger(least) && least > 0 ? least : null,
      });
    };
    trunk.core.request(message, { onAccept: told, onReject: told, onRedirect: told });
    const silent = setTimeout(() => resolve({ status: null, expiresSeconds: 0, leastSeconds: null }), silentAfterMs);
    return promise.finally(() => clearTimeout(silent));
  }

  /** The registrar lists every contact of the account; ours is the one with our user (section 10.3, step 8). */
  function grantedSeconds(response: IncomingResponseMessage): number | null {
    const listed = response.getHeaders("contact").map((_, i): unknown => response.parseHeader("contact", i));
    const ours = listed.find(
      (each) => each instanceof NameAddrHeader && each.uri.user === trunk.core.configuration.contact.uri.user,
    );
    const said = ours instanceof NameAddrHeader ? ours.getParam("expires") : undefined;
    const granted = Number(said ?? response.getHeader("expires"));
    return Number.isInteger(granted) && granted > 0 ? granted : null;
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
    /** Something points to the registrar having lost us: a connection that closed, a server that was away and is back. */
    again: (): void => schedule(0),
    async close(): Promise<void> {
      stopped = true;
      if (timer) clearTimeout(timer);
      // Given back as a courtesy: nobody waits long for the answer.
      if (state.status === "registered") await Promise.race([tryTargets(0), sleep(500, undefined, { ref: false })]);
    },
  };
}
