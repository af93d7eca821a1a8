import { type CrmGrant, type CrmLeadSelection, type CrmSandbox, sortOut } from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import type { Api } from "./api.ts";
import { defaultMapping, fieldsFor, LeadRecord, readLead } from "./mapping.ts";
import { instanceOf, restPath, shownAt } from "./rest-path.ts";

const Found = z.object({ records: z.array(LeadRecord) });
const Id = z.string().regex(/^[a-zA-Z0-9]{15,18}$/);

export function createSelectionReader(api: Api, sandbox: CrmSandbox | null) {
  return async (
    grant: CrmGrant,
    externalIds: readonly string[],
    chosen: CrmMapping | null,
  ): Promise<CrmLeadSelection> => {
    const mapping = chosen ?? defaultMapping;
    const list = externalIds.map((id) => `'${Id.parse(id)}'`).join(", ");
    const url = new URL(restPath("query"), instanceOf(grant, sandbox?.domain ?? null));
    url.search = new URLSearchParams({
      q: `SELECT ${fieldsFor(mapping).join(", ")} FROM Lead WHERE Id IN (${list})`,
    }).toString();
    const { body } = await api.getJson(Found, { url, accessToken: grant.accessToken });
    const there = new Set(body.records.map((record) => record.Id));
    const shown = shownAt(grant, sandbox);
    return {
      ...sortOut(body.records.map((record) => readLead(record, { shown, mapping }))),
      deleted: externalIds.filter((id) => !there.has(id)),
    };
  };
}
