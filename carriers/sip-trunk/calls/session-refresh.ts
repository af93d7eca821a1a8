import type { IncomingRequestMessage, IncomingResponseMessage, SessionDialog } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import type { Abilities } from "./abilities.ts";
import { sendUpdate } from "./send-update.ts";
import { createInterval } from "./session-interval.ts";
import { agreeToSession, createSessionTimer, readSessionExpires } from "./session-timer.ts";

interface SessionRefreshOptions {
  /** Null if the library has no dialog in which to send an UPDATE. */
  dialog: SessionDialog | null;
  abilities: Abilities;
  /** The shortest interval that the far end accepts, as far as we know; 0 if it has refused none. */
  minSeconds: number;
  isOver: () => boolean;
  inOrder: (change: () => Promise<void>) => Promise<void>;
  reinvite: () => Promise<number>;
  onUpdateRefused: (response: IncomingResponseMessage) => void;
  /** No one has refreshed the session in time. */
  onExpired: () => void;
}

/** Session refreshes on both sides (RFC 4028): who sends them, when, and ours by UPDATE or otherwise by re-INVITE. */
export function createSessionRefresh(trunk: Trunk, options: SessionRefreshOptions) {
  const { dialog, abilities, isOver } = options;
  const ours = trunk.settings.sessionSeconds;
  /** No one requested refreshes (section 7.2), so we do. */
  const unasked = { seconds: ours, weRefresh: true };
  const interval = createInterval(ours, options.minSeconds);
  const timer = createSessionTimer({
    refresh: () => void options.inOrder(refresh),
    expire: options.onExpired,
  });

  const headers = (): string[] => [...interval.headers(), trunk.core.contactHeader];

  /** If the response names no refresher, it is us. */
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
    // A refusal is a response too: the far end is alive, and is asked again.
    if (!isOver() && status >= 300) timer.set({ seconds: ours / 2, weRefresh: true });
  }

  return {
    /** For our re-INVITEs and UPDATEs. */
    headers,
    keepTime,
    /** A refusal may say that the interval is too short. */
    hearRefusal: (refusal: IncomingResponseMessage): void => interval.hear(refusal),
    /** Agrees to a request's session timer as the UAS. Returns the headers of the response. */
    agree(request: IncomingRequestMessage): string[] {
      const agreed = agreeToSession(request, ours);
      timer.set(agreed ?? unasked);
      return agreed?.headers ?? [];
    },
    startUnasked: (): void => timer.set(unasked),
    stop: timer.stop,
  };
}
