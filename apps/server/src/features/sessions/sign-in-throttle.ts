import type { Tx, WithTransaction } from "../../db/transaction.ts";
import { attemptsOfKey } from "../attempts/attempts-of-key.ts";
import { countWithin, keyOf, throttledAddress } from "../attempts/count-attempts.ts";
import { selectKnownAddresses } from "./sessions.table.ts";

/** Returns the counted attempts after a successful sign-in. */
export type Forgive = (tx: Tx) => Promise<void>;

/**
 * Counts an attempt before its outcome is known, so that a burst can't outrun the count. Strangers elsewhere can't lock
 * an account: under attack, each network that its person hasn't signed in from still gets a few attempts. Someone in the
 * person's own network uses up that network's attempts at the account, or at all accounts, for both of them.
 */
export async function countSignInAttempt(
  withTransaction: WithTransaction,
  attempt: { email: string; ip: string },
): Promise<Forgive> {
  const network = throttledAddress(attempt.ip);
  const pair = keyOf(`pair:${attempt.email}:${network}`);
  const address = keyOf(`address:${network}`);
  const account = keyOf(`account:${attempt.email}`);
  const isStrange = await withTransaction({ system: "count a sign-in attempt", by: network }, async (tx) => {
    const known = (await selectKnownAddresses(tx, attempt.email)).map(throttledAddress);
    const strange = !known.includes(network);
    const attacked = strange && (await attemptsOfKey(tx, account).count()) >= maxForAccount;
    await countWithin(tx, [
      { key: pair, most: attacked ? maxUnderAttack : 10 },
      { key: address, most: 200 },
    ]);
    // Only an allowed attempt is a guess at the password.
    if (strange) await attemptsOfKey(tx, account).add();
    return strange;
  });
  return async (tx) => {
    await attemptsOfKey(tx, pair).forget();
    await attemptsOfKey(tx, address).takeBackOne();
    if (isStrange) await attemptsOfKey(tx, account).takeBackOne();
  };
}

/** Guesses at one account from networks that its user hasn't signed in from. */
const maxForAccount = 100;
/** Per such network from then on: enough to mistype a password once. */
const maxUnderAttack = 2;
