import type { CrmUnderTest } from "@leadline/adapter-kit/crm-conformance";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { startSandboxCrm } from "@leadline/crm-sandbox/podio/server";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { crm } from "../server.ts";

const callbackUrl = "https://leadline.example/integrations/podio/callback";
/** A test suite sends more requests than real syncs do, and needs several pages. */
const options = { limits: { hourly: 100_000, heavyHourly: 100_000 }, maxItems: 100 };
const changedId = 2_800_000_030;
const deletedId = 2_800_000_040;

/** The real adapter, over HTTP, with the sandbox. */
export async function openAgainstSandbox(): Promise<CrmUnderTest & { people: SandboxCrm["ask"] }> {
  const sandbox = await startSandboxCrm({ file: null, publicUrl: new URL(callbackUrl) }, options);
  const opened = crm.open({}, { sandbox });
  return {
    crm: opened,
    people: sandbox.ask,
    workspace: sandbox.domain,
    vendorHost: null,
    callbackUrl,
    provesBy: "client-secret",
    revocationEnds: "nothing",
    tellsDeletions: crm.capabilities.deletions,
    sourceName: "Leads",
    leadCount: sandbox.leadCount,
    leads: sandbox.leads.list,
    deleteCall: sandbox.deleteCall,
    writtenCalls: () =>
      sandbox.writtenCalls().map(({ callSid, leadExternalId, note }) => ({ callSid, leadExternalId, note })),
    consent: async (authoriseUrl, decision) => answerConsent(sandbox, authoriseUrl, decision).searchParams,
    async changeLead({ lastName }) {
      const body = { fields: { "last-name": lastName } };
      sandbox.ask({ method: "PUT", path: `/item/${changedId}`, body });
      return String(changedId);
    },
    async deleteLead() {
      sandbox.ask({ method: "DELETE", path: `/item/${deletedId}` });
      return String(deletedId);
    },
    leaveRequests: sandbox.leaveRequests,
    sendReports: sandbox.sendWebhooks,
    expireAccess: sandbox.expireAccess,
    endAllGrants: sandbox.endAllGrants,
    fail({ retryAfterSeconds, status, ofLead, ...fault }) {
      const isLimit = status === 429;
      const headers = retryAfterSeconds === undefined || isLimit ? {} : { "retry-after": String(retryAfterSeconds) };
      sandbox.faults.add({
        path: ofLead ? sandbox.leadPath : /^\/(item\/app|comment)\//,
        ...fault,
        headers,
        // Podio's status for a rate limit, and the pause in its message.
        ...(status === undefined ? {} : { status: isLimit ? 420 : status }),
        ...(isLimit ? { errorCode: String(retryAfterSeconds) } : {}),
      });
    },
    async close() {
      opened.close();
      await sandbox.close();
    },
  };
}
