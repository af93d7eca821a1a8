import {
  CrmError,
  type CrmGrant,
  type CrmLead,
  type CrmLeadSelection,
  type CrmLeftOut,
  type CrmSandbox,
  sortOut,
} from "@leadline/adapter-kit/crm";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import { type Api, ItemGone } from "./api.ts";
import { Item, readItem } from "./mapping.ts";
import { appIdOf } from "./sources.ts";
import { shownAt } from "./workspace.ts";

const Id = z.string().regex(/^\d{1,20}$/);
const InApp = z.object({ app: z.object({ app_id: z.int() }) });

/** One request each, because Podio can't read a list of items by id. */
export function createSelectionReader(api: Api, sandbox: CrmSandbox | null) {
  async function readOne(grant: CrmGrant, externalId: string, mapping: CrmMapping) {
    const path = `/item/${Id.parse(externalId)}?mark_as_viewed=false`;
    try {
      const { body } = await api.ask(z.intersection(InApp, Item), { grant, path });
      // An item of another app isn't one of the integration's leads.
      if (body.app.app_id !== appIdOf(mapping.source)) return null;
      return readItem(body, mapping, body.link === null ? null : shownAt(grant, sandbox, body.link));
    } catch (error) {
      if (error instanceof ItemGone) return null;
      throw error;
    }
  }

  return async (
    grant: CrmGrant,
    externalIds: readonly string[],
    mapping: CrmMapping | null,
  ): Promise<CrmLeadSelection> => {
    if (mapping === null) throw new CrmError("refused", "Choose which app to read first.");
    const records: (CrmLead | CrmLeftOut)[] = [];
    const deleted: string[] = [];
    for (const externalId of externalIds) {
      const record = await readOne(grant, externalId, mapping);
      if (record === null) deleted.push(externalId);
      else records.push(record);
    }
    return { ...sortOut(records), deleted };
  };
}
