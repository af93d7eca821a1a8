import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { streamZip } from "../../zip/stream-zip.ts";
import type { FileStore } from "../files/file-store.ts";
import { leadNotFound, requireLead } from "../leads/get-lead.ts";
import { findTraces } from "./find-traces.table.ts";
import { selectLeadData, selectStoredContent, type StoredContent } from "./lead-data.table.ts";
import { requireStored } from "./require-stored.ts";
import { foundIfSame, searchAuditLog } from "./search-audit-log.ts";

export interface PersonalDataDeps {
  database: Database;
  store: FileStore;
}

/** For a lead who asks what is stored about them: what an erasure would delete or blank (rows-about-lead.table.ts). */
export async function exportLeadData(
  { database, store }: PersonalDataDeps,
  caller: Member,
  id: string,
): Promise<FileAnswer> {
  const key = { id, organisationId: caller.organisation.id };
  const scope = scopeOf(caller);
  const before = await database.readInTransaction(scope, async (tx) => {
    await requireLead(tx, key);
    return findTraces(tx, key, { locks: false });
  });
  const searched = await searchAuditLog(database, scope, before);
  const { data, contents } = await database.readInTransaction(scope, async (tx) => {
    const traces = await findTraces(tx, key, { locks: false });
    // Erased while the audit log was searched.
    if (traces.ids.length === 0) throw leadNotFound();
    const inAuditLog = foundIfSame(traces, before, searched);
    return {
      contents: await selectStoredContent(tx, traces),
      data: await selectLeadData(tx, traces, { id, inAuditLog }),
    };
  });
  for (const content of contents) await requireStored(store, content);
  // One after the other, so that a lead with many files doesn't open them all.
  const read = async function* ({ storedName }: StoredContent) {
    yield* store.open(storedName);
  };
  const json = new TextEncoder().encode(JSON.stringify(data, null, 2));
  return {
    name: `personal-data-${id}.zip`,
    mediaType: "application/zip",
    content: streamZip([
      { name: "data.json", content: [json] },
      ...contents.map((content) => ({ name: content.name, content: read(content) })),
    ]),
  };
}
