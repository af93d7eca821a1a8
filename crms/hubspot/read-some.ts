import { type CrmGrant, type CrmLeadSelection, type CrmSandbox, sortOut } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import type { Api } from "./api.ts";
import { ContactRecord, defaultMapping, isOwned, mergedInto, propertiesFor, readContact } from "./mapping.ts";
import { createOwnerReader } from "./read-owners.ts";
import { contactUrl } from "./workspace.ts";

const Batch = z.object({ results: z.array(ContactRecord) });

/** An archived contact is missing from the response. A merged one is returned as the contact it was merged into. */
export function createSelectionReader(api: Api, sandbox: CrmSandbox | null) {
  const readOwners = createOwnerReader(api);
  return async (
    grant: CrmGrant,
    externalIds: readonly string[],
    chosen: CrmMapping | null,
  ): Promise<CrmLeadSelection> => {
    const mapping = chosen ?? defaultMapping;
    const body = {
      inputs: externalIds.map((id) => ({ id })),
      properties: propertiesFor(mapping),
      propertiesWithHistory: [],
    };
    const answer = await api.ask(Batch, { grant, path: "/crm/v3/objects/contacts/batch/read", body });
    const found = [...new Map(answer.body.results.map((record) => [record.id, record])).values()];
    const there = new Set(found.map(({ id }) => id));
    const gone = externalIds.filter((id) => !there.has(id));
    const owners = found.some(isOwned) ? await readOwners(grant) : new Map<string, never>();
    return {
      ...sortOut(
        found.map((record) => readContact(record, { url: contactUrl(grant, sandbox, record.id), owners, mapping })),
      ),
      deleted: [...new Set([...gone, ...found.flatMap(mergedInto)])],
    };
  };
}
