import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { askAt, signUp } from "../../testing/sign-up.ts";

/** The owner of a prepaid organisation with money. */
export interface Payer {
  token: string;
  organisationId: string;
}

interface Answer {
  status: number;
  json: ReturnType<typeof JSON.parse>;
}

const topUpMicros = 25_000_000;
const patienceMs = 120_000;

/** Requests of payers to a server whose address stays the same across restarts. Each rejects if there is no answer. */
export function requestsTo(address: string) {
  async function ask(
    { token }: Pick<Payer, "token">,
    path: string,
    { method, body, key }: { method?: "POST" | "PUT"; body?: object; key?: string } = {},
  ): Promise<Answer> {
    const answer = await fetch(`${address}/api${path}`, {
      method: method ?? (body ? "POST" : "GET"),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === "" ? null : JSON.parse(text) };
  }

  const startTopUp = (payer: Payer, key: string) =>
    ask(payer, "/v1/billing/top-ups", { body: { amountMicros: topUpMicros }, key });

  /** Pays like a person on the sandbox's page, which ignores a second payment. */
  async function pay(checkoutUrl: string): Promise<Answer> {
    const body = new URLSearchParams({ action: "pay" });
    // From an address of its own, because one may open only so many of these pages.
    const headers = { "x-forwarded-for": `198.18.${randomInt(256)}.${randomInt(1, 255)}` };
    const signal = AbortSignal.timeout(30_000);
    const { status } = await fetch(checkoutUrl, { method: "POST", headers, body, redirect: "manual", signal });
    return { status: status === 303 ? 200 : status, json: null };
  }

  /** Like a person, who pays again while the page still offers to. Returns the top-up's id. */
  async function payUntilPaid(payer: Payer, key: string, onRefused?: (status: number) => void): Promise<string> {
    const { id, checkoutUrl } = (await insist(() => startTopUp(payer, key), onRefused)).json;
    await insist(async () => {
      const read = await ask(payer, `/v1/billing/top-ups/${id}`);
      if (read.status !== 200 || read.json.state === "paid") return read;
      const sent = await pay(checkoutUrl);
      return sent.status !== 200 ? sent : ask(payer, `/v1/billing/top-ups/${id}`).then(isPaid);
    }, onRefused);
    return id;
  }

  async function newPayer(): Promise<Payer> {
    const { token, password: currentPassword } = await signUp(address);
    const { id: organisationId } = await askAt(address, "/v1/organisations", { body: { name: "Faults" }, token });
    const payer = { token, organisationId };
    await ok(ask(payer, "/v1/billing/mode", { method: "PUT", body: { mode: "prepaid" } }));
    const faster = { callsPerMinute: 1_000, currentPassword };
    await ok(ask(payer, "/v1/limits", { method: "PUT", body: faster }));
    await payUntilPaid(payer, randomUUID());
    return payer;
  }

  return { ask, startTopUp, pay, payUntilPaid, newPayer };
}

export type Requests = ReturnType<typeof requestsTo>;

/** Not yet: it is asked again, and nothing was refused. */
export const notYet = 425;
const isPaid = (read: Answer): Answer =>
  read.status === 200 && read.json.state !== "paid" ? { ...read, status: notYet } : read;

/**
 * Sends the request again until it succeeds, as a client does with the same key. `onRefused` hears the status of each
 * other response; 0 is none at all.
 */
export async function insist(
  send: () => Promise<Answer>,
  onRefused: (status: number) => void = () => {},
): Promise<Answer> {
  const most = performance.now() + patienceMs;
  for (;;) {
    const answer = await send().catch(() => ({ status: 0, json: null }));
    if (answer.status >= 200 && answer.status < 300) return answer;
    if (answer.status !== notYet) onRefused(answer.status);
    if (performance.now() > most)
      throw new Error(`still ${answer.status} after two minutes: ${JSON.stringify(answer.json)}`);
    await sleep(200);
  }
}

/** Rejects unless the request succeeded. */
export async function ok(sent: Promise<Answer>): Promise<Answer["json"]> {
  const { status, json } = await sent;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(json)}`);
  return json;
}

/** Looks until it is so. Rejects if looking does, such as while the server is down, or once `signal` is aborted. */
export async function until(isSo: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  const most = performance.now() + patienceMs;
  while (!(await isSo())) {
    signal?.throwIfAborted();
    if (performance.now() > most) throw new Error("it didn't happen within two minutes");
    await sleep(100);
  }
}
