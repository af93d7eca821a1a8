import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { type CarrierModule, type DialRequest } from "@leadline/adapter-kit/carrier";
import { type CarrierNumber, NumberNotForSale } from "@leadline/adapter-kit/carrier-numbers";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { z } from "zod";

interface LedgerCarrier {
  /** Distinguishes it in the database, which suites share. */
  id: string;
  /** Its account book, which outlives the process that buys: one line per charge and per refund. */
  file: string;
  /** Called when a charge or refund has been recorded, before the reply; throwing loses the reply. */
  beforeAnswer?: (number: string) => void | Promise<void>;
  beforeSearch?: () => void;
  onDial?: (request: DialRequest) => void;
}

export const readLedger = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];

/** Carries calls like the sandbox, and sells any number under +44 20 7946 to the first buyer. Lists those under +44 20 7946 0. */
export function ledgerCarrier({ id, file, beforeAnswer, beforeSearch, onDial }: LedgerCarrier): CarrierModule {
  const book = (line: string): void => {
    if (readLedger(file).at(-1) !== line) appendFileSync(file, `${line}\n`);
  };
  const holderOf = (number: string): string | undefined => {
    const last = readLedger(file).findLast((line) => line.includes(number));
    return last?.startsWith("charged ") ? last.split(" ").at(-1) : undefined;
  };
  return {
    id,
    name: "Ledger",
    capabilities: { ...sandbox.capabilities, numbers: true },
    settings: z.object({}),
    async open() {
      const calls = await sandbox.open({});
      return {
        ...calls,
        dial(request) {
          onDial?.(request);
          return calls.dial(request);
        },
        numbers: {
          async search({ query }) {
            beforeSearch?.();
            return [offered(query?.startsWith("+442079460") ? query : `+442079460${String(Date.now()).slice(-3)}`)];
          },
          async buy({ number, idempotencyKey }) {
            const holder = holderOf(number);
            if (!number.startsWith("+44207946") || (holder !== undefined && holder !== idempotencyKey))
              throw new NumberNotForSale(number);
            if (holder === undefined) book(`charged ${number} ${idempotencyKey}`);
            await beforeAnswer?.(number);
            return offered(number);
          },
          async release(number) {
            if (holderOf(number) !== undefined) book(`returned ${number}`);
            await beforeAnswer?.(number);
          },
        },
      };
    },
  };
}

const offered = (number: string): CarrierNumber => ({
  number,
  location: "London",
  region: "Greater London",
  capabilities: { voice: true, sms: false, mms: false, fax: false },
  monthlyCostMicros: 1_000_000,
  requirement: null,
});
