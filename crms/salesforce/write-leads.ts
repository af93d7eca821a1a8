import { CrmError, type CrmGrant, type CrmLeadWriter, type CrmSandbox } from "@leadline/adapter-kit/crm";
import { valuesToWrite } from "@leadline/adapter-kit/values-to-write";
import { z } from "zod";
import { type Api, ApiErrors, ApiRefusal, isGone, readJson, toRefusal } from "./api.ts";
import { instanceOf, restPath } from "./rest-path.ts";

const LeadId = z.string().regex(/^00Q[a-zA-Z0-9]{12,15}$/);
const Found = z.object({ records: z.array(z.object({ WhoId: z.string().nullable() })) });
const Composite = z.object({
  compositeResponse: z.array(z.object({ referenceId: z.string(), httpStatusCode: z.int(), body: z.unknown() })).min(1),
});
const Created = z.object({ id: LeadId });
/** Of a request that was only rolled back along with the one that failed (Composite, allOrNone). */
const rolledBack = "PROCESSING_HALTED";

/** Filterable text of a Task, as for calls. A lead has no such field. */
const markerOf = (leadId: string): string => `leadline-lead-${z.uuid().parse(leadId)}`;

/**
 * A lead is created together with a completed Task, in one transaction (Composite, allOrNone). The Task's CallObject
 * holds our id, by which the lead is found again.
 */
export function createLeadWriter(api: Api, sandbox: CrmSandbox | null): CrmLeadWriter {
  const at = (grant: CrmGrant, path: string): URL =>
    new URL(restPath(path), instanceOf(grant, sandbox?.domain ?? null));

  return {
    async find(grant, { leadId }) {
      const url = at(grant, "query");
      const q = `SELECT WhoId FROM Task WHERE CallObject = '${markerOf(leadId)}' LIMIT 1`;
      url.search = new URLSearchParams({ q }).toString();
      const { body } = await api.getJson(Found, { url, accessToken: grant.accessToken });
      // Null if the lead is gone, and another kind of record if it was converted.
      return LeadId.safeParse(body.records[0]?.WhoId).data ?? null;
    },
    create: (grant, lead, mapping) =>
      inPlainWords(async () => {
        const { accessToken } = grant;
        const task = {
          WhoId: "@{lead.id}",
          Subject: "Lead created in Leadline",
          Status: "Completed",
          ActivityDate: new Date().toISOString().slice(0, 10),
          CallObject: markerOf(lead.leadId),
        };
        const post = (object: string, referenceId: string, body: object) => {
          return { method: "POST", url: restPath(`sobjects/${object}`), referenceId, body };
        };
        const fields = Object.fromEntries(valuesToWrite(mapping, lead));
        const compositeRequest = [post("Lead", "lead", fields), post("Task", "task", task)];
        const body = { allOrNone: true, compositeRequest };
        const answer = await api.sendJson({ method: "POST", url: at(grant, "composite"), accessToken, body });
        const { compositeResponse } = readJson(Composite, answer);
        throwRefusal(compositeResponse);
        return readJson(Created, JSON.stringify(compositeResponse[0]?.body)).id;
      }),
    update: (grant, externalId, change, mapping) =>
      inPlainWords(async () => {
        const fields = [...valuesToWrite(mapping, change)].map(([name, value]) => [name, value || null]);
        const url = at(grant, `sobjects/Lead/${LeadId.parse(externalId)}`);
        const { accessToken } = grant;
        try {
          await api.sendJson({ method: "PATCH", url, accessToken, body: Object.fromEntries(fields) });
          return true;
        } catch (error) {
          if (isGone(error)) return false;
          throw error;
        }
      }),
  };
}

function throwRefusal(responses: z.output<typeof Composite>["compositeResponse"]): void {
  for (const { httpStatusCode, body } of responses) {
    if (httpStatusCode < 400) continue;
    const { errorCode, message } = ApiErrors.safeParse(body).data?.[0] ?? { errorCode: "", message: "" };
    if (errorCode !== rolledBack) throw toRefusal(errorCode, message || String(httpStatusCode));
  }
}

/** Words of its own for what reps can put right, and Salesforce's message for the rest, such as a validation rule's. */
async function inPlainWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const missing = /\[([^\]]+)\]/.exec(error.detail)?.[1];
    const words =
      error.errorCode === "REQUIRED_FIELD_MISSING" && missing !== undefined
        ? `Salesforce requires a value for ${missing}.`
        : `Salesforce didn’t accept it: ${error.detail}`;
    throw new CrmError("refused", words.slice(0, 300), { cause: error });
  }
}
