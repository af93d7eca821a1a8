import type { RunningApp } from "../../testing/start-app.ts";
import { readBooks } from "./books.ts";
import type { CommitProxy } from "./commit-proxy.ts";
import type { Flow } from "./flows.ts";
import type { Requests } from "./payers.ts";

interface Given {
  app: RunningApp;
  proxy: CommitProxy;
  requests: Requests;
  databaseUrl: string;
}

export interface Outcome {
  fault: string;
  acknowledged: number;
  lost: number;
  duplicated: number;
  unbalanced: number;
}

/** More commits than any of the flows has. */
const maxSteps = 40;

/** Kills the server at each commit of the flow, before and after it reaches the database, each time for another payer. */
export async function killAtEachStep({ app, proxy, requests, databaseUrl }: Given, flow: Flow): Promise<Outcome> {
  const outcome = { acknowledged: 0, lost: 0, duplicated: 0, unbalanced: 0 };
  let steps = 0;
  for (const commits of [false, true])
    for (let at = 1; at <= maxSteps; at += 1) {
      const payer = await requests.newPayer();
      const prepared = await flow.prepare(payer);
      const { organisationId } = payer;
      const killed = new AbortController();
      const kill = () => {
        process.kill(app.pid, "SIGKILL");
        killed.abort();
      };
      proxy.killAt({ organisationId, at, commits, kill });
      const failure = await flow.run(payer, prepared, killed.signal).then(
        () => null,
        (error: unknown) => error,
      );
      const wasKilled = proxy.stopWatching();
      if (!wasKilled && failure !== null) throw failure;
      if (wasKilled) {
        await app.restart("SIGKILL");
        await flow.resume(payer, prepared);
      }
      const books = await readBooks(databaseUrl, organisationId);
      const { lost, duplicated } = flow.count(books);
      outcome.acknowledged += 1;
      outcome.lost += lost;
      outcome.duplicated += duplicated;
      outcome.unbalanced += books.addsUp ? 0 : 1;
      if (lost + duplicated > 0 || !books.addsUp)
        process.stderr.write(`${flow.name}, commit ${at}, ${commits ? "after" : "before"}: ${JSON.stringify(books)}\n`);
      // It has no further step.
      if (!wasKilled) break;
      steps = Math.max(steps, at);
    }
  return { fault: `${flow.name}: server killed before and after each commit (${steps})`, ...outcome };
}
