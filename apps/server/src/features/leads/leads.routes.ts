import { randomUUID } from "node:crypto";
import * as contract from "@leadline/contract/leads";
import type { Database } from "../../db/database.ts";
import { type Member, type Route, route } from "../../http/route.ts";
import { countLeads } from "./list/count-leads.ts";
import { followLead } from "./get-lead.ts";
import { addLeadNote, deleteLeadNote, listLeadNotes } from "./edit/lead-notes.ts";
import { listLeads } from "./list/list-leads.ts";
import { createLead, updateLead } from "./edit/save-lead.ts";

export function leadRoutes({ database }: { database: Database }): Route[] {
  const keyOf = (caller: Member, id: string) => ({ id, organisationId: caller.organisation.id });
  return [
    route(contract.listLeads, async ({ caller, query, reply }) => {
      const { leads, next } = await listLeads(database, { caller, query });
      if (next !== null) reply.header("link", `</api/v1/leads?${next}>; rel="next"`);
      return leads;
    }),
    route(contract.countLeads, ({ caller, query }) => countLeads(database, caller, query)),
    route(contract.createLead, ({ caller, body }) => createLead(database, caller, body)),
    route(contract.getLead, ({ caller, params }) =>
      database.withTransaction({ organisationId: caller.organisation.id }, (tx) =>
        followLead(tx, keyOf(caller, params.id)),
      ),
    ),
    route(contract.updateLead, ({ caller, params, body }) =>
      updateLead(database, caller, { id: params.id, change: body }),
    ),
    route(contract.listLeadNotes, ({ caller, params }) => listLeadNotes(database, caller, params.id)),
    route(contract.addLeadNote, ({ caller, params, body }) =>
      addLeadNote(database, caller, { leadId: params.id, id: randomUUID(), text: body.text }),
    ),
    route(contract.deleteLeadNote, async ({ caller, params }) => {
      await deleteLeadNote(database, caller, params.id);
      return undefined;
    }),
  ];
}
