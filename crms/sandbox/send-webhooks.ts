import { setTimeout as sleep } from "node:timers/promises";
import { createInOrder } from "@leadline/adapter-kit/in-order";

/** A request to an app, as its vendor sends it. */
export interface WebhookRequest {
  method: "POST";
  url: URL;
  headers: Record<string, string>;
  body: string;
}
export interface WebhookTarget {
  /** Where the installation receives this CRM's reports, as in the vendor's app settings. */
  url: URL;
  /** Returns the response's status. The sandbox itself opens no connection, so it can't be made to call another server. */
  send(request: WebhookRequest): Promise<number>;
}

const waitsMs = [1_000, 5_000, 30_000];

/** Sends reports in the background, one at a time, and retries each until it is answered with a 2xx status. */
export function createWebhookSender() {
  let target: WebhookTarget | null = null;
  const inOrder = createInOrder();
  const closed = new AbortController();

  async function sendOne(make: (to: WebhookTarget, attempt: number) => WebhookRequest): Promise<void> {
    for (let attempt = 0; !closed.signal.aborted; attempt += 1) {
      const to = target;
      if (to === null) return;
      const status = await to.send(make(to, attempt)).catch(() => 0);
      const waitMs = waitsMs[attempt];
      if ((status >= 200 && status < 300) || waitMs === undefined) return;
      await sleep(waitMs, undefined, { signal: closed.signal, ref: false }).catch(() => {});
    }
  }

  return {
    setTarget: (to: WebhookTarget | null): void => void (target = to),
    /** Does nothing while there is no target. */
    send(make: (to: WebhookTarget, attempt: number) => WebhookRequest): void {
      if (target !== null) void inOrder(() => sendOne(make));
    },
    close: (): void => closed.abort(),
  };
}
export type WebhookSender = ReturnType<typeof createWebhookSender>;
