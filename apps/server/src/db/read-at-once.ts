import type { BurstConnections, Row, Statement } from "./bursts.ts";
import { queriesOn } from "./connection-dialect.ts";
import { scopeStatement, type WithTransaction } from "./transaction.ts";

/** Sends what `read` issues before it awaits an answer as one burst with its scope; later statements are rejected. */
export const readAtOnceOn =
  (reads: Pick<BurstConnections, "ask">): WithTransaction =>
  async (scope, read) => {
    const asked: {
      statement: Statement;
      resolve: (answer: { rows: Row[] }) => void;
      reject: (error: unknown) => void;
    }[] = [];
    let isSealed = false;
    const query = (statement: Statement) =>
      new Promise<{ rows: Row[] }>((resolve, reject) => {
        if (isSealed) reject(new Error("this transaction reads at once: ask before awaiting, or use withTransaction"));
        else asked.push({ statement, resolve, reject });
      });
    const reading = read(queriesOn({ query }));
    const answering = reads
      .ask(() => {
        isSealed = true;
        return [scopeStatement(scope), ...asked.map(({ statement }) => statement)];
      })
      .then(
        ([, ...answers]) => asked.forEach(({ resolve }, at) => resolve({ rows: answers[at] ?? [] })),
        (error: unknown) => {
          for (const { reject } of asked) reject(error);
          throw error;
        },
      );
    return (await Promise.all([reading, answering]))[0];
  };
