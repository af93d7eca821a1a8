import { forEachAtOnce } from "../../for-each-at-once.ts";
import type { Route } from "../../http/route.ts";
import { reconcileAccount } from "./accounts/check-account-numbers.ts";
import { numberOrderRoutes } from "./accounts/number-orders.routes.ts";
import type { NumberDeps } from "./number-deps.ts";
import { phoneNumberRoutes } from "./phone-numbers.routes.ts";
import { resumeOrders } from "./resume-orders.ts";

const defaultEveryMs = 30_000;
const defaultReconcileEveryMs = 600_000;
const accountsAtOnce = 10;

interface RunNumbers extends NumberDeps {
  resumeEveryMs?: number | undefined;
  reconcileEveryMs?: number | undefined;
}

/**
 * Resumes orders left by killed processes at once, and those left by a silent carrier every half minute. Compares
 * accounts' numbers every ten minutes.
 */
export function runNumbers({
  resumeEveryMs: everyMs = defaultEveryMs,
  reconcileEveryMs = defaultReconcileEveryMs,
  ...deps
}: RunNumbers): {
  routes: readonly Route[];
  close(): Promise<void>;
} {
  const running = new Set<Promise<void>>();
  let closed = false;
  function run(name: string, work: () => Promise<unknown>): void {
    const done = work()
      .then(() => undefined)
      .catch((error: unknown) => deps.log.error({ err: error }, `${name} failed`))
      .finally(() => running.delete(done));
    running.add(done);
  }
  const isClosing = () => closed;
  const resume = (olderThanMs: number) =>
    run("resuming number orders", () => resumeOrders(deps, { olderThanMs, isClosing }));
  const reconcile = () =>
    run("comparing numbers", () => deps.runExclusively("reconcile-numbers", () => reconcileAccounts(deps, isClosing)));

  resume(0);
  const timers = [setInterval(() => resume(everyMs), everyMs), setInterval(reconcile, reconcileEveryMs)];
  for (const timer of timers) timer.unref();
  return {
    routes: [...phoneNumberRoutes(deps), ...numberOrderRoutes(deps)],
    async close() {
      closed = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}

/** A slow vendor delays no other account. */
async function reconcileAccounts(deps: NumberDeps, isClosing: () => boolean): Promise<void> {
  const scope = { system: "compare the numbers of every organisation's accounts" };
  const accounts = await deps.database.withTransaction(scope, deps.accounts.listEvery);
  await forEachAtOnce(accounts, { most: accountsAtOnce }, async (account) => {
    if (isClosing()) return;
    await reconcileAccount(deps, account).catch((error: unknown) =>
      deps.log.warn({ err: error, accountId: account.id }, "an account's numbers could not be compared"),
    );
  });
}
