import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { type Books, countOf, readBooks } from "./books.ts";
import { insist, ok, type Payer, type Requests, until } from "./payers.ts";

interface Counted {
  lost: number;
  duplicated: number;
}

/** What a payer does, once, and is killed at each step of. */
export interface Flow {
  name: string;
  prepare(payer: Payer): Promise<string>;
  /** Until all its effects are there. Rejects once the server is killed, when `signal` is aborted. */
  run(payer: Payer, prepared: string, signal: AbortSignal): Promise<void>;
  /** After the restart, as a person or their client goes on, until all its effects are there. */
  resume(payer: Payer, prepared: string): Promise<void>;
  count(books: Books): Counted;
}

interface Given {
  requests: Requests;
  databaseUrl: string;
  /** Orders the job that the server otherwise starts every ten minutes. Resolves once one is done. */
  renewNumbers: (signal?: AbortSignal) => Promise<void>;
}

const answering = "+12025550100";
const monthsDue = 2;

/** The difference between what should be there once and what is. */
const off = (...pairs: readonly (readonly [is: number, should: number])[]): Counted => ({
  lost: Math.max(...pairs.map(([is, should]) => Math.max(0, should - is))),
  duplicated: Math.max(...pairs.map(([is, should]) => Math.max(0, is - should))),
});

export function flowsOf({ requests, databaseUrl, renewNumbers }: Given): Flow[] {
  const { ask, startTopUp, pay, payUntilPaid } = requests;
  const newKey = async () => randomUUID();
  const booksOf = ({ organisationId }: Payer) => readBooks(databaseUrl, organisationId);

  async function numberForSale(payer: Payer): Promise<string> {
    const offered = await ok(ask(payer, "/v1/phone-numbers/available?countryCode=GB&query=0161"));
    return offered[Math.floor(Math.random() * offered.length)].number;
  }
  /** The number serves as the key too. */
  const buy = (payer: Payer, number: string) => ask(payer, "/v1/phone-numbers", { body: { number }, key: number });
  const dial = (payer: Payer, key: string) => ask(payer, "/v1/calls", { body: { phoneNumber: answering }, key });
  const hangUp = (payer: Payer, callSid: string) => ask(payer, `/v1/calls/${callSid}/hang-up`, { method: "POST" });

  const isAnswered = (payer: Payer, callSid: string, signal?: AbortSignal) =>
    until(async () => (await ok(ask(payer, `/v1/calls/${callSid}`))).status === "in-progress", signal);
  const callsAreSettled = (payer: Payer, signal?: AbortSignal) =>
    until(async () => {
      const { calls, heldMicros } = await booksOf(payer);
      return calls.every(({ isOver }) => isOver) && heldMicros === 0;
    }, signal);

  return [
    {
      name: "purchase of a number",
      prepare: numberForSale,
      run: async (payer, number) => void (await ok(buy(payer, number))),
      resume: async (payer, number) => void (await insist(() => buy(payer, number))),
      count: (books) => off([books.numbersOwned, 1], [countOf(books, "number"), 1]),
    },
    {
      name: "top-up",
      prepare: newKey,
      async run(payer, key, signal) {
        await ok(pay((await ok(startTopUp(payer, key))).checkoutUrl));
        await until(async () => countOf(await booksOf(payer), "top-up") === 2, signal);
      },
      resume: async (payer, key) => void (await payUntilPaid(payer, key)),
      // The payer's money came from another one.
      count: (books) => off([books.topUps.length, 2], [countOf(books, "top-up"), 2]),
    },
    {
      name: "start of a call",
      prepare: newKey,
      run: async (payer, key, signal) => isAnswered(payer, (await ok(dial(payer, key))).callSid, signal),
      async resume(payer, key) {
        const { json } = await insist(() => dial(payer, key));
        await hangUp(payer, json.callSid);
        await callsAreSettled(payer);
      },
      count: (books) =>
        off(
          [books.calls.length, 1],
          [countOf(books, "call"), books.calls.filter(({ costMicros }) => costMicros > 0).length],
        ),
    },
    {
      name: "end of a call",
      async prepare(payer) {
        const { callSid } = await ok(dial(payer, randomUUID()));
        await isAnswered(payer, callSid);
        return callSid;
      },
      async run(payer, callSid, signal) {
        await ok(hangUp(payer, callSid));
        await callsAreSettled(payer, signal);
      },
      resume: (payer) => callsAreSettled(payer),
      count: (books) => off([books.calls.length, 1], [countOf(books, "call"), 1]),
    },
    {
      name: `renewal of a number for ${monthsDue} months`,
      async prepare(payer) {
        const number = await numberForSale(payer);
        await ok(buy(payer, number));
        await haveBoughtEarlier(databaseUrl, payer, `${monthsDue} months 1 day`);
        return number;
      },
      run: (_payer, _number, signal) => renewNumbers(signal),
      resume: () => renewNumbers(),
      count: (books) => off([books.numbersOwned, 1], [countOf(books, "number"), 1 + monthsDue]),
    },
  ];
}

/** Only the clock can make a renewal due. */
async function haveBoughtEarlier(databaseUrl: string, { organisationId }: Payer, earlier: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("select set_config('app.scope', 'system', false)");
    await client.query(
      "update phone_numbers set acquired_at = acquired_at - $2::interval where organisation_id = $1 and state = 'owned'",
      [organisationId, earlier],
    );
  } finally {
    await client.end();
  }
}
