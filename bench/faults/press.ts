import { randomUUID } from "node:crypto";
import { readBooks } from "./books.ts";
import { insist, notYet, type Payer, type Requests } from "./payers.ts";

interface Pressed extends Payer {
  /** One for each thing that the payer wanted, however often it was requested. */
  topUpKeys: number;
  callKeys: number;
  /** Acknowledged. */
  paidTopUps: string[];
  callSids: string[];
}

interface Press {
  /** When each operation was acknowledged, by performance.now(). */
  acknowledgedAtMs: readonly number[];
  /** How often each status was returned instead. */
  describeRefused(): string;
  /** Finishes what has begun. */
  stop(): Promise<void>;
  count(databaseUrl: string): Promise<{ lost: number; duplicated: number; unbalanced: number }>;
}

/** Payers who top up and call, one after another, each repeating a request with its key until it succeeds. */
export async function pressMoney(requests: Requests, payers: number): Promise<Press> {
  const { ask, payUntilPaid, newPayer } = requests;
  const pressed: Pressed[] = [];
  for (let index = 0; index < payers; index += 1)
    pressed.push({ ...(await newPayer()), topUpKeys: 1, callKeys: 0, paidTopUps: [], callSids: [] });
  const acknowledgedAtMs: number[] = [];
  const refused = new Map<number, number>();
  const onRefused = (status: number) => void refused.set(status, (refused.get(status) ?? 0) + 1);
  const over = new AbortController();

  async function topUp(payer: Pressed): Promise<void> {
    payer.topUpKeys += 1;
    payer.paidTopUps.push(await payUntilPaid(payer, randomUUID(), onRefused));
    acknowledgedAtMs.push(performance.now());
  }
  async function call(payer: Pressed): Promise<void> {
    payer.callKeys += 1;
    const key = randomUUID();
    const body = { phoneNumber: "+12025550100" };
    const started = await insist(() => ask(payer, "/v1/calls", { body, key }), onRefused);
    const callSid: string = started.json.callSid;
    payer.callSids.push(callSid);
    acknowledgedAtMs.push(performance.now());
    // Only an answered call costs something.
    await insist(async () => {
      const read = await ask(payer, `/v1/calls/${callSid}`);
      const isWaiting = read.status === 200 && ["queued", "ringing"].includes(read.json.status);
      return isWaiting ? { ...read, status: notYet } : read;
    }, onRefused);
    await insist(() => ask(payer, `/v1/calls/${callSid}/hang-up`, { method: "POST" }), onRefused);
    acknowledgedAtMs.push(performance.now());
  }
  const running = pressed.map(async (payer) => {
    while (!over.signal.aborted) {
      await topUp(payer);
      await call(payer);
    }
  });
  const failed = Promise.all(running);
  failed.catch(() => {});

  return {
    acknowledgedAtMs,
    describeRefused: () =>
      [...refused].map(([status, times]) => `${times} × ${status === 0 ? "no response" : status}`).join(", ") ||
      "nothing refused",
    async stop() {
      over.abort();
      await failed;
    },
    async count(databaseUrl) {
      const total = { lost: 0, duplicated: 0, unbalanced: 0 };
      for (const payer of pressed) {
        const { calls, topUps, entries, heldMicros, addsUp } = await readBooks(databaseUrl, payer.organisationId);
        const keys = new Set(entries.map(({ key }) => key));
        const sids = new Set(calls.map(({ callSid }) => callSid));
        const charged = calls.filter(({ costMicros }) => costMicros > 0);
        total.lost +=
          payer.callSids.filter((callSid) => !sids.has(callSid)).length +
          payer.paidTopUps.filter((id) => !keys.has(`top-up:${id}`)).length +
          charged.filter(({ callSid }) => !keys.has(`call:${callSid}`)).length;
        // A charge that the balance doesn't cover has an entry for the rest.
        const chargedKeys = new Set(charged.flatMap(({ callSid }) => [`call:${callSid}`, `call:${callSid}:write-off`]));
        total.duplicated +=
          Math.max(0, topUps.length - payer.topUpKeys) +
          Math.max(0, calls.filter(({ isAnswered }) => isAnswered).length - payer.callKeys) +
          entries.filter(({ key, kind }) => kind === "call" && !chargedKeys.has(key)).length;
        total.unbalanced += addsUp && heldMicros === 0 && calls.every(({ isOver: ended }) => ended) ? 0 : 1;
      }
      return total;
    },
  };
}
