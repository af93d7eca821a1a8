import { type CallRecord, ProvisionerError } from "@leadline/adapter-kit/provisioner";
import type { RunExclusively } from "../../db/create-exclusive-runner.ts";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import type { ConnectedAccount, UsedAccounts } from "../carrier-accounts/use-accounts.ts";
import { applyCosts } from "./apply-costs.ts";
import {
  closeReading,
  matchByCallId,
  matchByNumbers,
  matchTransfers,
  openReading,
  putRecords,
} from "./carrier-records.table.ts";

export interface RecordDeps {
  database: Database;
  accounts: Pick<UsedAccounts, "list" | "listEvery" | "use">;
  runExclusively: RunExclusively;
  log: Log;
}

const recordsAtOnce = 500;

/**
 * Reads an account's new records, matches them with calls and applies their cost. A killed run starts over, and each
 * step finds what is already done. Does nothing while another process reads the account.
 */
export async function readRecords(deps: RecordDeps, account: ConnectedAccount): Promise<void> {
  await deps.runExclusively(`carrier-records:${account.id}`, async () => {
    const { organisationId } = account;
    const { database } = deps;
    const { since, ...reading } = await database.withTransaction({ organisationId }, (tx) => openReading(tx, account));
    try {
      await deps.accounts.use(account, async (provisioner) => {
        const put = (records: readonly CallRecord[]) =>
          database.withTransaction({ organisationId }, (tx) => putRecords(tx, account, records));
        let page: CallRecord[] = [];
        for await (const record of provisioner.records({ trunk: account.trunk, since })) {
          page.push(record);
          if (page.length < recordsAtOnce) continue;
          await put(page);
          page = [];
        }
        await put(page);
      });
    } catch (error) {
      if (!(error instanceof ProvisionerError)) throw error;
      await database.withTransaction({ organisationId }, (tx) => closeReading(tx, account, { failure: error.message }));
      throw error;
    }
    await matchRecords(database, account);
    await applyCosts(database, account);
    await database.withTransaction({ organisationId }, (tx) => closeReading(tx, account, reading));
  });
}

async function matchRecords(
  database: Database,
  account: Pick<ConnectedAccount, "id" | "organisationId" | "carrierId">,
): Promise<void> {
  const { organisationId } = account;
  await database.withTransaction({ organisationId }, (tx) => matchByCallId(tx, account));
  while (await database.withTransaction({ organisationId }, (tx) => matchByNumbers(tx, account)));
  await database.withTransaction({ organisationId }, (tx) => matchTransfers(tx, account));
}
