import type { CrmUnderTest } from "@leadline/adapter-kit/crm-conformance";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { startSandboxCrm } from "@leadline/crm-sandbox/hubspot/server";
import { crm } from "../server.ts";

const callbackUrl = "https://leadline.example/integrations/hubspot/callback";
const path = "/crm/v3/objects/contacts";
/** A test suite sends more requests than real syncs do. */
const limits = { tenSecondly: 10_000, searchesASecond: 10_000, daily: 1_000_000 };

/** The real adapter, over HTTP, with the sandbox. */
export async function openAgainstSandbox(): Promise<CrmUnderTest> {
  const sandbox = await startSandboxCrm({ file: null, publicUrl: new URL(callbackUrl) }, { limits });
  const opened = crm.open({}, { sandbox });
  /** Another one each time. */
  let deleted = 10_040;
  return {
    crm: opened,
    workspace: sandbox.domain,
    vendorHost: null,
    callbackUrl,
    provesBy: "client-secret",
    revocationEnds: "refresh",
    tellsDeletions: crm.capabilities.deletions,
    sourceName: "Contacts",
    leadCount: sandbox.leadCount,
    consent: async (authoriseUrl, decision) => answerConsent(sandbox, authoriseUrl, decision).searchParams,
    async changeLead({ lastName }) {
      sandbox.ask({ method: "PATCH", path: `${path}/10030`, body: { properties: { lastname: lastName } } });
      return "10030";
    },
    async deleteLead() {
      deleted += 1;
      sandbox.ask({ method: "DELETE", path: `${path}/${deleted}` });
      return String(deleted);
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
      sandbox.faults.add({ path: ofLead ? sandbox.leadPath : /^\/crm\//, ...fault, headers });
    },
    async close() {
      opened.close();
      await sandbox.close();
    },
  };
}
