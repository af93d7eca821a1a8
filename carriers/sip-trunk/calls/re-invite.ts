import { setTimeout as sleep } from "node:timers/promises";

import type { IncomingResponseMessage, Session } from "sip.js/lib/core/index.js";

/**
 * RFC 3261, section 14.1: the owner of the Call-ID waits longer, so that two colliding requests don't collide again.
 */
const glareMs = (): number => 2_100 + Math.random() * 1_900;
const mostTries = 3;

interface ReinviteOptions {
  isOver: () => boolean;
  offer: () => string;
  headers: () => string[];
  onAccepted: (response: IncomingResponseMessage) => void;
  onRefused: (response: IncomingResponseMessage) => void;
}

/**
 * Sends our new description; resolves to the final status. If the far end refuses, the old one stays in effect. If both
 * sides asked at once (491), each retries a little later.
 */
export async function reinvite(session: Session, options: ReinviteOptions): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    const status = await reinviteOnce(session, options);
    if (status !== 491) return status;
    await sleep(glareMs());
  }
  return 491;
}

function reinviteOnce(session: Session, options: ReinviteOptions): Promise<number> {
  if (options.isOver()) return Promise.resolve(481);
  const { promise, resolve } = Promise.withResolvers<number>();
  const body = { contentDisposition: "session", contentType: "application/sdp", content: options.offer() };
  const invited = {
    onAccept({ message, ack }: { message: IncomingResponseMessage; ack: () => unknown }): void {
      ack();
      options.onAccepted(message);
      resolve(200);
    },
    onReject({ message }: { message: IncomingResponseMessage }): void {
      options.onRefused(message);
      resolve(message.statusCode ?? 500);
    },
    onRedirect: () => resolve(302),
  };
  try {
    session.invite(invited, { extraHeaders: options.headers(), body });
  } catch {
    // The far end is in the middle of its own change.
    return Promise.resolve(491);
  }
  return promise;
}
