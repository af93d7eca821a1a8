import type { CrmUnderTest } from "@leadline/adapter-kit/crm-conformance";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { startSandboxCrm } from "@leadline/crm-sandbox/salesforce/server";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { crm } from "../server.ts";

const callbackUrl = "https://leadline.example/integrations/salesforce/callback";
const leadPath = "/services/data/v62.0/sobjects/Lead";

/** The real adapter, over HTTP, against the sandbox. */
export async function openAgainstSandbox(): Promise<CrmUnderTest & { people: SandboxCrm["ask"] }> {
  const sandbox = await startSandboxCrm({ file: null, publicUrl: new URL(callbackUrl) });
  const opened = crm.open({}, { sandbox });
  const someLead = async (index: number): Promise<string> => {
    const q = `SELECT Id FROM Lead ORDER BY Id LIMIT ${index}`;
    const answer = sandbox.ask({ method: "GET", path: `/services/data/v62.0/query?${new URLSearchParams({ q })}` });
    return JSON.parse(answer.body).records.at(-1).Id;
  };
  return {
    crm: opened,
    people: sandbox.ask,
    workspace: sandbox.domain,
    vendorHost: "acme.my.salesforce.com",
    provesBy: "pkce",
    revocationEnds: "access",
    tellsDeletions: crm.capabilities.deletions,
    sourceName: "Leads",
    callbackUrl,
    leadCount: sandbox.leadCount,
    consent: async (authoriseUrl, decision) => answerConsent(sandbox, authoriseUrl, decision).searchParams,
    async changeLead({ lastName }) {
      const id = await someLead(30);
      sandbox.ask({ method: "PATCH", path: `${leadPath}/${id}`, body: { LastName: lastName } });
      return id;
    },
    async deleteLead() {
      const id = await someLead(40);
      sandbox.ask({ method: "DELETE", path: `${leadPath}/${id}` });
      return id;
    },
    leads: sandbox.leads.list,
    deleteCall: sandbox.deleteCall,
    writtenCalls: () =>
      sandbox.writtenCalls().map(({ callSid, leadExternalId, note }) => ({ callSid, leadExternalId, note })),
    leaveRequests: sandbox.leaveRequests,
    sendReports: sandbox.sendWebhooks,
    expireAccess: sandbox.expireAccess,
    endAllGrants: sandbox.endAllGrants,
    fail({ retryAfterSeconds, ofLead, ...fault }) {
      const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
      sandbox.faults.add({ path: ofLead ? sandbox.leadPath : /^\/services\/data/, ...fault, headers });
    },
    async close() {
      opened.close();
      await sandbox.close();
    },
  };
}
