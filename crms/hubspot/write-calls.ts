import type { CrmCall, CrmCalls, CrmGrant, CrmSandbox, WrittenCrmCall } from "@leadline/adapter-kit/crm";
import { callText, callTitle } from "@leadline/adapter-kit/describe-call";
import { z } from "zod";
import { type Api, NotFound } from "./api.ts";
import { contactUrl } from "./workspace.ts";

const callsPath = "/crm/v3/objects/calls";
/** The default label from a call to a contact (Associations API, association type IDs). */
const callToContact = 194;
const marker = "hs_call_external_id";
/** The field's maximum length in characters (Calls API, hs_call_body). */
const maxInBody = 65_536;
const batchSize = 100;

const Id = z.string().regex(/^\d{1,20}$/);
const Created = z.object({ id: Id });
const Associated = z.object({
  results: z.array(z.object({ toObjectId: z.coerce.string() })),
  paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
});
const Batch = z.object({
  results: z.array(z.object({ id: Id, properties: z.record(z.string(), z.string().nullish()) })),
});

/**
 * A call is an engagement associated with the contact (Calls API). It is found through the contact, because the search
 * index includes a new call only seconds later, when a retry would have written a second one.
 */
export function createCallWriter(api: Api, sandbox: CrmSandbox | null): CrmCalls {
  const written = (grant: CrmGrant, { leadExternalId }: CrmCall, id: string): WrittenCrmCall => ({
    externalId: id,
    url: `${contactUrl(grant, sandbox, leadExternalId)}?engagement=${id}`,
  });

  async function callsOf(grant: CrmGrant, contactId: string): Promise<string[]> {
    const ids: string[] = [];
    const seen = new Set<string>();
    for (let after: string | undefined = "0"; after !== undefined;) {
      // A page that leads back to an earlier one has no end.
      if (seen.has(after)) throw api.unreadable();
      seen.add(after);
      const query = new URLSearchParams({ limit: "500", ...(after !== "0" && { after }) });
      const path = `/crm/v4/objects/contacts/${Id.parse(contactId)}/associations/calls`;
      const { body }: { body: z.output<typeof Associated> } = await api.ask(Associated, { grant, path, query });
      ids.push(...body.results.map(({ toObjectId }) => toObjectId));
      after = body.paging?.next?.after;
    }
    return ids;
  }

  return {
    async find(grant, call) {
      const ids = await callsOf(grant, call.leadExternalId);
      // The newest are the most likely.
      for (let end = ids.length; end > 0; end -= batchSize) {
        const inputs = ids.slice(Math.max(0, end - batchSize), end).map((id) => ({ id }));
        const body = { inputs, properties: [marker], propertiesWithHistory: [] };
        const answer = await api.ask(Batch, { grant, path: `${callsPath}/batch/read`, body });
        const found = answer.body.results.find(({ properties }) => properties[marker] === call.callSid);
        if (found) return written(grant, call, found.id);
      }
      return null;
    },
    async create(grant, call) {
      const types = [{ associationCategory: "HUBSPOT_DEFINED", associationTypeId: callToContact }];
      const associations = [{ to: { id: call.leadExternalId }, types }];
      const properties = { ...propertiesOf(call), hs_timestamp: call.startedAt, [marker]: call.callSid };
      const { body } = await api.ask(Created, { grant, path: callsPath, body: { properties, associations } });
      return written(grant, call, body.id);
    },
    async update(grant, externalId, call) {
      const path = `${callsPath}/${Id.parse(externalId)}`;
      try {
        await api.ask(Created, { grant, path, method: "PATCH", body: { properties: propertiesOf(call) } });
        return true;
      } catch (error) {
        if (error instanceof NotFound) return false;
        throw error;
      }
    },
  };
}

/** The outcome is part of the text, because HubSpot's own outcomes are GUIDs that differ per account. */
function propertiesOf(call: CrmCall): Record<string, string> {
  const { direction, phoneNumber, wasAnswered, seconds } = call;
  const isOutbound = direction === "outbound";
  return {
    hs_call_title: callTitle(call),
    hs_call_body: inHtml(callText(call), maxInBody),
    hs_call_direction: isOutbound ? "OUTBOUND" : "INBOUND",
    hs_call_status: wasAnswered ? "COMPLETED" : "NO_ANSWER",
    hs_call_duration: String(seconds * 1_000),
    [isOutbound ? "hs_call_to_number" : "hs_call_from_number"]: phoneNumber,
  };
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": "<br>" };

/** Cuts between characters, so that entities stay whole. */
function inHtml(text: string, most: number): string {
  let html = "";
  for (const character of text) {
    const next = entities[character] ?? character;
    if (html.length + next.length > most) break;
    html += next;
  }
  return html;
}
