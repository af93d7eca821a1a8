import { z } from "zod";
import { asLeadline } from "../../db/as-leadline.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { defineJob } from "../../jobs/define-job.ts";
import type { FileStore } from "../files/file-store.ts";
import { deleteSomeOfOrganisation, deleteSomeOutdated } from "./voicemail-messages.table.ts";

interface Deps {
  database: Database;
  store: FileStore;
}

const aSlice = 500;

/** Deletes messages past their organisation's retention time, heard or not. */
export async function dropOutdatedMessages(deps: Deps): Promise<void> {
  const scope = { system: "expired messages of every organisation" };
  await dropSlices(deps, () =>
    deps.database.withTransaction(scope, (tx) =>
      asLeadline(tx, "voicemail.expired", () => deleteSomeOutdated(tx, aSlice)),
    ),
  );
}

export const dropOutdatedMessagesJob = (deps: Deps) =>
  defineJob({
    name: "drop-outdated-voicemail",
    schema: z.object({}),
    cron: "47 2 * * *",
    run: () => dropOutdatedMessages(deps),
  });

/** For deleting an organisation. */
export const removeEveryMessage = (deps: Deps, organisationId: string): Promise<void> =>
  dropSlices(deps, () =>
    deps.database.withTransaction({ organisationId }, (tx: Tx) => deleteSomeOfOrganisation(tx, organisationId, aSlice)),
  );

/** A file that can't be deleted now is deleted by the next sweep. */
async function dropSlices({ store }: Deps, deleteSome: () => Promise<string[]>): Promise<void> {
  for (;;) {
    const names = await deleteSome();
    if (names.length === 0) return;
    await Promise.all(names.map((name) => store.remove(name).catch(() => {})));
  }
}
