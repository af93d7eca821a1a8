import type { Tx } from "../../db/transaction.ts";
import {
  countAttempt,
  countOf,
  deletePastAttempts,
  forgetAttempts,
  takeBackAttempt,
} from "./sign-in-attempts.table.ts";

/** The attempts of one key in its window of 15 minutes, for a limit that depends on more than their number. */
export const attemptsOfKey = (tx: Tx, key: Buffer) => ({
  add: () => countAttempt(tx, key),
  count: () => countOf(tx, key),
  takeBackOne: () => takeBackAttempt(tx, key),
  forget: () => forgetAttempts(tx, key),
});

export const pruneAttempts = (tx: Tx): Promise<void> => deletePastAttempts(tx);
