import {
  type CrmCall,
  type CrmCalls,
  CrmError,
  type CrmGrant,
  type CrmSandbox,
  type WrittenCrmCall,
} from "@leadline/adapter-kit/crm";
import { callTitle } from "@leadline/adapter-kit/describe-call";
import { z } from "zod";
import { type Api, ApiRefusal, isGone } from "./api.ts";
import { instanceOf, restPath, shownAt } from "./rest-path.ts";

const RecordId = z.string().regex(/^[a-zA-Z0-9]{15,18}$/);
const Created = z.object({ id: RecordId });
const Converted = z.object({ records: z.array(z.object({ ConvertedContactId: RecordId.nullish() })) });
const Found = z.object({ records: z.array(z.object({ Id: RecordId })) });

/** As many characters as the field takes (Object Reference, Task). */
const maxInDisposition = 255;
const maxInDescription = 32_000;

/**
 * A call is a Task on the lead, or on the contact that it was converted to, with the fields that Salesforce has for calls (Object Reference, Task: TaskSubtype, CallType,
 * CallDurationInSeconds, CallDisposition). CallObject, the Call Object Identifier of at most 255 characters,
 * holds our callSid.
 */
export function createCallWriter(api: Api, sandbox: CrmSandbox | null): CrmCalls {
  const at = (grant: CrmGrant, path: string): URL =>
    new URL(restPath(path), instanceOf(grant, sandbox?.domain ?? null));

  const written = (grant: CrmGrant, id: string): WrittenCrmCall => ({
    externalId: id,
    url: `${shownAt(grant, sandbox)}/lightning/r/Task/${id}/view`,
  });

  async function contactOf(grant: CrmGrant, leadId: string): Promise<string> {
    const url = at(grant, "query");
    const q = `SELECT ConvertedContactId FROM Lead WHERE Id = '${RecordId.parse(leadId)}'`;
    url.search = new URLSearchParams({ q }).toString();
    const { body } = await api.getJson(Converted, { url, accessToken: grant.accessToken });
    const contactId = body.records[0]?.ConvertedContactId;
    if (contactId) return contactId;
    throw new CrmError(
      "refused",
      "The lead was converted in Salesforce, and Leadline can’t see the contact it became.",
    );
  }

  return {
    async find(grant, { callSid }) {
      const url = at(grant, "query");
      // A callSid is letters and digits alone.
      url.search = new URLSearchParams({ q: `SELECT Id FROM Task WHERE CallObject = '${callSid}' LIMIT 1` }).toString();
      const { body } = await api.getJson(Found, { url, accessToken: grant.accessToken });
      const [found] = body.records;
      return found === undefined ? null : written(grant, found.Id);
    },
    async create(grant, call) {
      const { accessToken } = grant;
      const url = at(grant, "sobjects/Task");
      const body = { TaskSubtype: "Call", CallObject: call.callSid, ...fieldsOf(call) };
      const createFor = (WhoId: string) => api.sendJson({ method: "POST", url, accessToken, body: { WhoId, ...body } });
      const answer = await createFor(call.leadExternalId).catch(async (error: unknown) => {
        if (!(error instanceof ApiRefusal) || error.errorCode !== "CANNOT_UPDATE_CONVERTED_LEAD") throw error;
        return createFor(await contactOf(grant, call.leadExternalId));
      });
      return written(grant, api.readJson(Created, answer).id);
    },
    async update(grant, externalId, call) {
      const { accessToken } = grant;
      const url = at(grant, `sobjects/Task/${RecordId.parse(externalId)}`);
      try {
        await api.updateRecord({ url, accessToken, body: fieldsOf(call) });
        return true;
      } catch (error) {
        if (isGone(error)) return false;
        throw error;
      }
    },
  };
}

function fieldsOf(call: CrmCall) {
  const { direction, startedOn, wasAnswered, seconds, outcome, note, rep, link } = call;
  const details = [rep && `By ${rep}`, link].filter(Boolean).join("\n");
  return {
    Subject: `${callTitle(call)}${wasAnswered ? "" : " (not answered)"}`,
    Status: "Completed",
    ActivityDate: startedOn,
    CallType: direction === "outbound" ? "Outbound" : "Inbound",
    CallDurationInSeconds: seconds,
    CallDisposition: outcome.slice(0, maxInDisposition),
    Description: [note, details].filter(Boolean).join("\n\n").slice(0, maxInDescription),
  };
}
