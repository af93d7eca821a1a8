import { ownerText } from "@leadline/adapter-kit/apply-mapping";
import { CrmError, type CrmGrant, type CrmSandbox } from "@leadline/adapter-kit/crm";
import type { CrmLeadWriter } from "@leadline/adapter-kit/crm-lead-writer";
import { valuesToWrite } from "@leadline/adapter-kit/values-to-write";
import { z } from "zod";
import { type Api, ApiErrors, ApiRefusal, isGone, Modified, toRefusal } from "./api.ts";
import { instanceOf, restPath } from "./rest-path.ts";

const LeadId = z.string().regex(/^00Q[a-zA-Z0-9]{12,15}$/);
const PersonId = z.string().regex(/^(00Q|003)[a-zA-Z0-9]{12,15}$/);
const Found = z.object({ records: z.array(z.object({ WhoId: z.string().nullable() })) });
const Composite = z.object({
  compositeResponse: z.array(z.object({ referenceId: z.string(), httpStatusCode: z.int(), body: z.unknown() })).min(1),
});
const Created = z.object({ id: LeadId });
/** Of a request that was only rolled back along with the one that failed (Composite, allOrNone). */
const rolledBack = "PROCESSING_HALTED";

const RecordIds = z.object({ records: z.array(z.object({ Id: z.string().regex(/^[a-zA-Z0-9]{15,18}$/) })) });

/** A text in a query (SOQL and SOSL Reference, Quoted String Escape Sequences). */
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

/** Filterable text of a Task, as for calls. A lead has no such field. */
const markerOf = (leadId: string): string => `leadline-lead-${z.uuid().parse(leadId)}`;

/**
 * A lead is created together with a completed Task, in one transaction (Composite, allOrNone). The Task's CallObject
 * holds our id, by which the lead is found again.
 */
export function createLeadWriter(api: Api, sandbox: CrmSandbox | null): CrmLeadWriter {
  const at = (grant: CrmGrant, path: string): URL =>
    new URL(restPath(path), instanceOf(grant, sandbox?.domain ?? null));

  async function query<T>(grant: CrmGrant, schema: z.ZodType<T>, q: string): Promise<T> {
    const url = at(grant, "query");
    url.search = new URLSearchParams({ q }).toString();
    return (await api.getJson(schema, { url, accessToken: grant.accessToken })).body;
  }

  return {
    async ownerValue(grant, owner, { fields }) {
      if (fields.owner !== "OwnerId") return ownerText(owner);
      // A lead always has an owner.
      if (owner === null) return null;
      const { name, email } = owner;
      const q =
        email === ""
          ? `SELECT Id FROM Group WHERE Type = 'Queue' AND Name = ${quoted(name)} LIMIT 1`
          : `SELECT Id FROM User WHERE IsActive = true AND Email = ${quoted(email)} LIMIT 1`;
      return (await query(grant, RecordIds, q)).records[0]?.Id ?? null;
    },
    async find(grant, { leadId }) {
      const tasks = `SELECT WhoId FROM Task WHERE CallObject = '${markerOf(leadId)}' LIMIT 1`;
      const [task] = (await query(grant, Found, tasks)).records;
      // Null if the lead is gone.
      const personId = PersonId.safeParse(task?.WhoId).data;
      if (personId === undefined) return null;
      if (personId.startsWith("00Q")) return personId;
      // The lead was converted since, and its tasks are now its contact's.
      const leads = `SELECT Id FROM Lead WHERE IsConverted = true AND ConvertedContactId = '${personId}' LIMIT 1`;
      return (await query(grant, RecordIds, leads)).records[0]?.Id ?? null;
    },
    create: (grant, lead, mapping) =>
      inPlainWords(async () => {
        const { accessToken } = grant;
        const task = {
          WhoId: "@{lead.id}",
          Subject: "Lead created in Leadline",
          Status: "Completed",
          ActivityDate: lead.today,
          CallObject: markerOf(lead.leadId),
        };
        const post = (object: string, referenceId: string, body: object) => {
          return { method: "POST", url: restPath(`sobjects/${object}`), referenceId, body };
        };
        const fields = Object.fromEntries(valuesToWrite(mapping, lead));
        const compositeRequest = [post("Lead", "lead", fields), post("Task", "task", task)];
        const body = { allOrNone: true, compositeRequest };
        const answer = await api.sendJson({ method: "POST", url: at(grant, "composite"), accessToken, body });
        const { compositeResponse } = api.readJson(Composite, answer);
        throwRefusal(compositeResponse);
        return api.readJson(Created, JSON.stringify(compositeResponse[0]?.body)).id;
      }),
    update: (grant, externalId, change, mapping) =>
      inPlainWords(async () => {
        const fields = [...valuesToWrite(mapping, change)].map(([name, value]) => [name, value || null]);
        const url = at(grant, `sobjects/Lead/${LeadId.parse(externalId)}`);
        const { accessToken } = grant;
        try {
          await api.updateRecord({
            url,
            accessToken,
            body: Object.fromEntries(fields),
            ...(change.version !== undefined && { unmodifiedSince: new Date(change.version) }),
          });
          return "written";
        } catch (error) {
          if (isGone(error)) return "gone";
          if (error instanceof Modified) return "changed";
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
