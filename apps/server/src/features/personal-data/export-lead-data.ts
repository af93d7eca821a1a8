import type { Database } from "../../db/database.ts";
import type { FileAnswer, Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { streamZip } from "../../zip/stream-zip.ts";
import type { FileStore } from "../files/file-store.ts";
import { requireLead } from "../leads/get-lead.ts";
import { selectLeadData, selectStoredContent, type StoredContent } from "./lead-data.table.ts";
import { requireStored } from "./require-stored.ts";

export interface PersonalDataDeps {
  database: Database;
  store: FileStore;
}

/** For a lead who asks what is stored about them. */
export async function exportLeadData(
  { database, store }: PersonalDataDeps,
  caller: Member,
  id: string,
): Promise<FileAnswer> {
  const key = { id, organisationId: caller.organisation.id };
  const { data, contents } = await database.readInTransaction(scopeOf(caller), async (tx) => {
    await requireLead(tx, key);
    return { contents: await selectStoredContent(tx, key), data: await selectLeadData(tx, key) };
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
