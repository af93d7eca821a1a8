import type { CrmCall, CrmCalls, CrmGrant, CrmSandbox, WrittenCrmCall } from "@leadline/adapter-kit/crm";
import { callTitle } from "@leadline/adapter-kit/describe-call";
import { z } from "zod";
import { type Api, ApiRefusal, readJson } from "./api.ts";
import { instanceOf, restPath, shownAt } from "./rest-path.ts";

const RecordId = z.string().regex(/^[a-zA-Z0-9]{15,18}$/);
const Created = z.object({ id: RecordId });
const Found = z.object({ records: z.array(z.object({ Id: RecordId })) });

/** As many characters as the field takes (Object Reference, Task). */
const mostInDisposition = 255;
const mostInDescription = 32_000;
/** Of a record in the recycle bin, and of one that has left it (REST API, status 404). */
const goneCodes = new Set(["ENTITY_IS_DELETED", "NOT_FOUND"]);

/**
 * A call is a Task on the lead, with the fields that Salesforce has for calls (Object Reference, Task: TaskSubtype, CallType,
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
      const body = { WhoId: call.leadExternalId, TaskSubtype: "Call", CallObject: call.callSid, ...fieldsOf(call) };
      const answer = await api.sendJson({ method: "POST", url, accessToken, body });
      return written(grant, readJson(Created, answer).id);
    },
    async update(grant, externalId, call) {
      const { accessToken } = grant;
      const url = at(grant, `sobjects/Task/${RecordId.parse(externalId)}`);
      try {
        await api.sendJson({ method: "PATCH", url, accessToken, body: fieldsOf(call) });
        return true;
      } catch (error) {
        if (error instanceof ApiRefusal && goneCodes.has(error.errorCode)) return false;
        throw error;
      }
    },
  };
}

function fieldsOf(call: CrmCall) {
  const { direction, startedAt, wasAnswered, seconds, outcome, note, rep, link } = call;
  const details = [rep && `By ${rep}`, link].filter(Boolean).join("\n");
  return {
    Subject: `${callTitle(call)}${wasAnswered ? "" : " (not answered)"}`,
    Status: "Completed",
    ActivityDate: startedAt.slice(0, 10),
    CallType: direction === "outbound" ? "Outbound" : "Inbound",
    CallDurationInSeconds: seconds,
    CallDisposition: outcome.slice(0, mostInDisposition),
    Description: [note, details].filter(Boolean).join("\n\n").slice(0, mostInDescription),
  };
}
