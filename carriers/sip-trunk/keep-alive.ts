import { isSigned } from "./signalling/answer-challenge.ts";
import type { SipTarget } from "./transport/sip-target.ts";
import type { Trunk } from "./trunk.ts";

/** Long enough for a response to the third transmission over UDP. */
const silentAfterMs = 5_000;

export interface OptionsAnswer {
  target: SipTarget;
  status: number;
  tookMs: number;
  /** The source address of our request, if the target reports it: usually when it isn't the one that we wrote. */
  seenAs: string | null;
  /** It was challenged and not sent again: we don't support the challenge, or have no password. */
  isUnsigned: boolean;
}

/** Any response shows that the server is alive, even a refusal; null if there was none. */
export async function askOptions(trunk: Trunk, target: SipTarget): Promise<OptionsAnswer | null> {
  const { promise, resolve } = Promise.withResolvers<OptionsAnswer | null>();
  const startedMs = performance.now();
  const message = trunk.request("OPTIONS", target, {});
  const answered = ({
    message: response,
  }: {
    message: {
      statusCode?: number | undefined;
      getHeader(name: string): string | undefined;
    };
  }): void => {
    const tookMs = Math.round(performance.now() - startedMs);
    // A response that the library created itself has no Via.
    const via = response.getHeader("via");
    // It is alive, though it responded too late for the caller.
    if (via !== undefined) trunk.targets.noteOptions(target, "answered");
    const status = response.statusCode ?? 0;
    const isUnsigned = (status === 401 || status === 407) && !isSigned(message);
    resolve(via === undefined ? null : { target, status, tookMs, seenAs: receivedIn(via), isUnsigned });
  };
  trunk.core.request(message, { onAccept: answered, onReject: answered, onRedirect: answered });
  const silent = setTimeout(() => resolve(null), silentAfterMs);
  return promise
    .then((answer) => {
      const failed = trunk.transport.troubleWith(target) !== null;
      if (answer === null) trunk.targets.noteOptions(target, failed ? "no-connection" : "silent");
      return answer;
    })
    .finally(() => {
      clearTimeout(silent);
      trunk.transport.forgetAim(message.callId);
    });
}

/** RFC 3261, section 18.2.1. */
const receivedIn = (via: string): string | null => /;\s*received\s*=\s*\[?([\da-f.:]+)/i.exec(via)?.[1] ?? null;

/** Polls all targets, so that a call never has to find out whether they are alive. */
export function keepAlive(trunk: Trunk, onRound: (reached: SipTarget[]) => void): { stop(): void } {
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;

  /** A request that can't even be written is no reason for the process to end. */
  const askOrGiveUp = (target: SipTarget) =>
    askOptions(trunk, target).catch(() => trunk.targets.noteOptions(target, "no-connection"));

  async function round(): Promise<void> {
    const targets = await trunk.targets.all().catch(() => []);
    await Promise.all(targets.map(askOrGiveUp));
    if (stopped) return;
    onRound(targets.filter((target) => !trunk.targets.isSilent(target)));
    timer = setTimeout(() => void round(), trunk.settings.keepAliveSeconds * 1000);
  }

  void round();
  return {
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}
