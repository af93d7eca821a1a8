import { setTimeout as sleep } from "node:timers/promises";

import type { IncomingResponseMessage, OutgoingInviteRequest, Session } from "sip.js/lib/core/index.js";

import { t1Ms } from "../transport/retransmissions.ts";

/** The library waits this long for the first response, but for ever after a provisional one. */
const longestSilenceMs = 64 * t1Ms;
/**
 * RFC 3261, section 14.1: the owner of the Call-ID waits longer, so that two colliding requests don't collide again.
 */
const glareMs = (): number => 2_100 + Math.random() * 1_900;
const maxTries = 3;

interface ReinviteOptions {
  isOver: () => boolean;
  offer: () => string;
  headers: () => string[];
  onAccepted: (response: IncomingResponseMessage) => void;
  onRefused: (response: IncomingResponseMessage) => void;
  /** The far end has sent a provisional response, and then nothing. */
  onSilent: () => void;
}

/**
 * Sends our new description; resolves to the final status. If the far end refuses, the old one stays in effect. If both
 * sides asked at once (491), each retries a little later. If our session interval is too short (422), we retry with the
 * longer one.
 */
export async function reinvite(session: Session, options: ReinviteOptions): Promise<number> {
  let status = 491;
  for (let tries = 0; tries < maxTries; tries++) {
    const asked = options.headers();
    status = await reinviteOnce(session, options);
    const isLonger = status === 422 && options.headers().join() !== asked.join();
    if (status !== 491 && !isLonger) return status;
    if (status === 491) await sleep(glareMs());
  }
  return status;
}

function reinviteOnce(session: Session, options: ReinviteOptions): Promise<number> {
  if (options.isOver()) return Promise.resolve(481);
  const { promise, resolve: resolveTo } = Promise.withResolvers<number>();
  let request: OutgoingInviteRequest | null = null;
  let silence: NodeJS.Timeout | undefined;

  function resolve(status: number): void {
    clearTimeout(silence);
    resolveTo(status);
  }

  function awaitMore(): void {
    clearTimeout(silence);
    const branch = request?.message.branch;
    silence = setTimeout(() => {
      // Sent again with credentials: the library waits for the first response to that.
      if (request?.message.branch !== branch) return;
      options.onSilent();
      resolve(408);
    }, longestSilenceMs).unref();
  }

  const body = { contentDisposition: "session", contentType: "application/sdp", content: options.offer() };
  const invited = {
    onTrying: awaitMore,
    onProgress: awaitMore,
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
    request = session.invite(invited, { extraHeaders: options.headers(), body });
  } catch {
    // The far end is in the middle of its own change.
    return Promise.resolve(491);
  }
  return promise;
}
