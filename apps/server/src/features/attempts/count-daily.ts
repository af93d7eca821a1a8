import type { WithTransaction } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { keyOf } from "./count-attempts.ts";
import { countAttempt } from "./sign-in-attempts.table.ts";

interface DailyLimit {
  /** Who is counted. Hashed, because addresses are personal data. */
  by: string;
  most: number;
  /** The message when the limit is reached. */
  sentence: string;
}

/**
 * Counts an action of a person, and refuses it above a limit within 24 hours of the first. A refused action counts
 * towards none of the limits, or strangers could use up a limit that isn't theirs alone.
 */
export async function countDaily(
  withTransaction: WithTransaction,
  what: string,
  ...limits: readonly DailyLimit[]
): Promise<void> {
  await withTransaction({ system: `count in a day: ${what}`, by: limits[0]?.by ?? "" }, async (tx) => {
    for (const { by, most, sentence } of limits) {
      const key = keyOf(`day:${what}:${by}`);
      const { attempts, windowSeconds } = await countAttempt(tx, key, 24 * 60);
      // Rolls back what has been counted so far.
      if (attempts > most) throw tooMany(sentence, Math.max(1, windowSeconds));
    }
  });
}

/** Counts in the same way, for what goes on differently above its limit. */
export async function isWithinDaily(
  withTransaction: WithTransaction,
  what: string,
  { by, most }: Omit<DailyLimit, "sentence">,
): Promise<boolean> {
  const { attempts } = await withTransaction({ system: `count in a day: ${what}`, by }, (tx) =>
    countAttempt(tx, keyOf(`day:${what}:${by}`), 24 * 60),
  );
  return attempts <= most;
}

function tooMany(sentence: string, retryAfterSeconds: number): Problem {
  const hours = Math.ceil(retryAfterSeconds / 3600);
  const wait = `Try again in ${hours} ${hours === 1 ? "hour" : "hours"}.`;
  return new Problem("too-many-attempts", `${sentence} ${wait}`, { retryAfterSeconds });
}
