import { setTimeout as sleep } from "node:timers/promises";
import { createInOrderByKey } from "@leadline/adapter-kit/in-order";
import * as contract from "@leadline/contract/carrier-accounts";
import { Problem } from "../../http/problem.ts";
import { type Route, route } from "../../http/route.ts";
import { runEvery } from "../../run-every.ts";
import { type AccountDeps, noAccount } from "./account-deps.ts";
import { renewAccountSecrets } from "./account-secrets.ts";
import { type StoredAccount } from "./carrier-accounts.table.ts";
import { connectAccount } from "./connect-account.ts";
import { createAccount, reconnectAccount } from "./create-account.ts";
import { disconnectAccount, finishDisconnecting } from "./disconnect-account.ts";
import { followLimits } from "./follow-limits.ts";
import { listAccountKinds, listAccounts } from "./list-accounts.ts";
import { readUnfinished } from "./read-unfinished.ts";

const everyMs = 30_000;
const patienceMs = 5_000;

/**
 * Connects and disconnects accounts, including those that a killed process left unfinished or whose limits changed. Only
 * one process works on an account at a time.
 */
export async function runAccounts(deps: AccountDeps): Promise<{ routes: readonly Route[]; close(): Promise<void> }> {
  await renewAccountSecrets(deps.database, deps.sealer);
  const inOrder = createInOrderByKey();
  let closed = false;

  /** Runs again if requested meanwhile, because another key may have been entered. */
  function work(account: StoredAccount): void {
    if (closed) return;
    inOrder
      .run(account.id, () => alone(account))
      .catch((error: unknown) =>
        deps.log.error({ err: error, accountId: account.id }, "an account's setup or removal is incomplete"),
      );
  }

  /** Runs after pending work on this account here, and only if no other process is working on it. */
  const runSeparately = (id: string, doing: () => Promise<void>): Promise<void> =>
    inOrder.run(id, async () => {
      const name = `carrier-account:${id}`;
      if ((await deps.exclusiveLocks.tryHold(name)) !== true)
        throw new Problem("carrier-refused", "Another process is working on this account. Try again in a moment.");
      await doing().finally(() => deps.exclusiveLocks.release(name));
    });

  async function alone(account: StoredAccount): Promise<void> {
    const name = `carrier-account:${account.id}`;
    if (closed || (await deps.exclusiveLocks.tryHold(name)) !== true) return;
    const isOver =
      account.state === "disconnecting"
        ? finishDisconnecting(deps, account)
        : connectAccount(deps, account, () => closed);
    await isOver.finally(() => deps.exclusiveLocks.release(name));
  }

  async function resume(): Promise<void> {
    await followLimits(deps.database);
    for (const account of await readUnfinished(deps.database)) if (!inOrder.has(account.id)) work(account);
  }
  const stopResuming = runEvery(resume, {
    everyMs: deps.followEveryMs ?? everyMs,
    atOnce: true,
    onError: (error) => deps.log.error({ err: error }, "accounts could not be resumed"),
  });
  return {
    routes: [
      route(contract.listAccountKinds, async () => listAccountKinds(deps)),
      route(contract.listCarrierAccounts, ({ caller }) => listAccounts(deps, caller)),
      route(contract.connectCarrierAccount, async ({ caller, body }) => {
        const { account, stored } = await createAccount(deps, caller, body);
        work(stored);
        return account;
      }),
      route(contract.reconnectCarrierAccount, async ({ caller, params, body }) => {
        const { account, stored } = await reconnectAccount(deps, caller, { id: params.id, key: body.key });
        work(stored);
        return account;
      }),
      route(contract.disconnectCarrierAccount, async ({ caller, params, query }) => {
        // Only the organisation's own accounts can be waited for.
        if (!(await listAccounts(deps, caller)).some(({ id }) => id === params.id)) throw noAccount();
        await runSeparately(params.id, () => disconnectAccount(deps, caller, { id: params.id, leave: query.leave }));
        return undefined;
      }),
    ],
    async close() {
      closed = true;
      // A slow vendor must not delay the shutdown: the next process resumes unfinished work.
      await Promise.race([
        Promise.all([stopResuming(), inOrder.finished()]),
        sleep(patienceMs, undefined, { ref: false }),
      ]);
    },
  };
}
