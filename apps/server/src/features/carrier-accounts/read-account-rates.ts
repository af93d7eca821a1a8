import type { RatesRead } from "@leadline/adapter-kit/provisioner";
import type { AccountDeps } from "./account-deps.ts";
import { isUsable, selectAccounts, type StoredAccount } from "./carrier-accounts.table.ts";
import { useAccounts } from "./use-accounts.ts";

/** How long a vendor's or the database's answer is reused. */
const askAgainMs = 60_000;
const maxRemembered = 1_000;

interface Trunk {
  organisationId: string;
  carrierId: string;
}

interface AskedNumber {
  digits: string;
  country: string | null;
}

/** Reads the rates of trunks connected by API key. */
export function createRateReader(deps: AccountDeps) {
  const accounts = useAccounts(deps);
  const accountOf = remembering(async ({ organisationId, carrierId }: Trunk): Promise<StoredAccount | null> => {
    const stored = await deps.database.withTransaction({ organisationId }, (tx) => selectAccounts(tx, organisationId));
    const account = stored.find((one) => one.carrierId === carrierId && isUsable(one));
    return account && deps.modules.find(({ id }) => id === account.vendor)?.readsRates ? account : null;
  });
  const read = remembering(async ({ number, ...trunk }: Trunk & { number: AskedNumber }): Promise<RatesRead> => {
    const account = await accountOf(trunk);
    if (account === null) return { of: "number", rates: [] };
    return accounts.use(account, (provisioner) => provisioner.rates(number));
  });
  return {
    hasApi: async (trunk: Trunk): Promise<boolean> => (await accountOf(trunk)) !== null,
    read: (trunk: Trunk, number: AskedNumber): Promise<RatesRead> => read({ ...trunk, number }),
  };
}

/**
 * Returns the same result for the same question within a minute. Failures are remembered too, so that a vendor that is
 * down isn't asked for each call.
 */
function remembering<Question extends object, Answer>(ask: (question: Question) => Promise<Answer>) {
  const known = new Map<string, { atMs: number; answer: Promise<Answer> }>();
  return (question: Question): Promise<Answer> => {
    const key = JSON.stringify(question);
    const earlier = known.get(key);
    if (earlier && performance.now() - earlier.atMs < askAgainMs) return earlier.answer;
    known.delete(key);
    const [oldest] = known.keys();
    if (known.size >= maxRemembered && oldest !== undefined) known.delete(oldest);
    const answer = ask(question);
    known.set(key, { atMs: performance.now(), answer });
    return answer;
  };
}
