import { setTimeout as sleep } from "node:timers/promises";

import type { Session } from "sip.js/lib/core/index.js";

const keyMs = 160;

/** One INFO for each key, as trunks that take no RFC 4733 events know them. */
export async function sendKeys(session: Session, digits: string): Promise<void> {
  for (const key of digits) {
    session.info(undefined, {
      body: {
        contentDisposition: "render",
        contentType: "application/dtmf-relay",
        content: `Signal=${key}\r\nDuration=${keyMs}\r\n`,
      },
    });
    await sleep(keyMs * 2);
  }
}
