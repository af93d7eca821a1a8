import { setTimeout as sleep } from "node:timers/promises";

import type { OutgoingRequestDelegate, Session } from "sip.js/lib/core/index.js";

import { createInOrder } from "@leadline/adapter-kit/in-order";

const keyMs = 160;
/** A far end that hasn't responded to INFO by then gets tones. */
const answerMs = 2_000;

function sendKey(session: Session, key: string, delegate?: OutgoingRequestDelegate): void {
  const content = `Signal=${key}\r\nDuration=${keyMs}\r\n`;
  const body = { contentDisposition: "render", contentType: "application/dtmf-relay", content };
  session.info(delegate, { body });
}

/** One INFO per digit, for trunks that don't accept RFC 4733 events. */
export async function sendKeys(session: Session, digits: string): Promise<void> {
  for (const key of digits) {
    sendKey(session, key);
    await sleep(keyMs * 2);
  }
}

async function isTaken(session: Session, key: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const refused = (): void => resolve(false);
  try {
    sendKey(session, key, { onAccept: () => resolve(true), onReject: refused, onRedirect: refused });
  } catch {
    return false;
  }
  return Promise.race([promise, sleep(answerMs, false, { ref: false })]);
}

/**
 * Tries INFO with a far end that may accept it, until it refuses one; never again after that. Each call resolves to the
 * digits that were not accepted.
 */
export function createKeyOffers(session: Session, { mayTakeInfo }: { mayTakeInfo: boolean }) {
  let usesInfo = mayTakeInfo;
  const inOrder = createInOrder();

  async function offer(digits: string): Promise<string> {
    for (const [i, key] of [...digits].entries()) {
      usesInfo &&= await isTaken(session, key);
      if (!usesInfo) return digits.slice(i);
      await sleep(keyMs * 2);
    }
    return "";
  }

  return (digits: string): Promise<string> => inOrder(() => offer(digits));
}
