import type { IncomingRequestMessage, IncomingResponseMessage, SessionDialog } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import type { Abilities } from "./abilities.ts";
import { sendUpdate } from "./send-update.ts";
import { createInterval } from "./session-interval.ts";
import { agreeToSession, createSessionTimer, readSessionExpires } from "./session-timer.ts";

interface SessionRefreshOptions {
  /** Null where the library has no dialog that an UPDATE could be sent in. */
  dialog: SessionDialog | null;
  abilities: Abilities;
  isOver: () => boolean;
  inOrder: (change: () => Promise<void>) => Promise<void>;
  reinvite: () => Promise<number>;
  onUpdateRefused: (response: IncomingResponseMessage) => void;
  /** Nobody has refreshed the session in time. */
  onExpired: () => void;
}

/** Both sides' proofs that a call is alive (RFC 4028): who owes them, when, and ours by UPDATE or else by re-INVITE. */
export function createSessionRefresh(trunk: Trunk, options: SessionRefreshOptions) {
  const { dialog, abilities, isOver } = options;
  const ours = trunk.settings.sessionSeconds;
  /** Nobody asked for proofs (section 7.2): they are ours to ask for. */
  const unasked = { seconds: ours, weRefresh: true };
  const interval = createInterval(ours);
  const timer = createSessionTimer({
    refresh: () => void options.inOrder(refresh),
    expire: options.onExpired,
  });

  const headers = (): string[] => [...interval.headers(), trunk.core.contactHeader];

  /** A response that names nobody leaves it to us. */
  function keepTime(response: IncomingResponseMessage): void {
    const agreed = readSessionExpires(response.getHeader("session-expires"), ours);
    timer.set(agreed ? { seconds: agreed.seconds, weRefresh: agreed.refresher !== "uas" } : unasked);
  }

  function prove(): Promise<number> {
    if (!dialog || !abilities.takes("UPDATE")) return options.reinvite();
    return sendUpdate(trunk, dialog, { headers: headers(), keepTime, onRefused: options.onUpdateRefused });
  }

  async function refresh(): Promise<void> {
    const first = await prove();
    if (first === 405 || first === 501) abilities.learnNoUpdate();
    const status = [405, 422, 501].includes(first) && !isOver() ? await prove() : first;
    // Refused is answered: it is there, and is asked again.
    if (!isOver() && status >= 300) timer.set({ seconds: ours / 2, weRefresh: true });
  }

  return {
    /** Of our re-INVITEs and UPDATEs. */
    headers,
    keepTime,
    /** A refusal may say that the interval is too little. */
    hearRefusal: (refusal: IncomingResponseMessage): void => interval.hear(refusal),
    /** As the one who is asked. Returns the headers that say so. */
    agree(request: IncomingRequestMessage): string[] {
      const agreed = agreeToSession(request, ours);
      timer.set(agreed ?? unasked);
      return agreed?.headers ?? [];
    },
    startUnasked: (): void => timer.set(unasked),
    stop: timer.stop,
  };
}
