import type { CrmModule } from "@leadline/adapter-kit/crm";
import { openOutbound } from "@leadline/adapter-kit/outbound/open-outbound";
import { createApi } from "./api.ts";
import { createOAuth } from "./oauth.ts";
import { createLeadReader } from "./read-leads.ts";
import { settings } from "./settings.ts";
import { readWorkspaceDomain } from "./workspace-domain.ts";

/** Salesforce by its own HTTP interfaces: OAuth 2.0 with PKCE, SOQL over REST, getDeleted. */
export const crm: CrmModule<typeof settings> = {
  id: "salesforce",
  name: "Salesforce",
  capabilities: { incremental: true, deletions: true },
  settings,
  workspaceDomainHelp: "Find it in Salesforce under Setup, My Domain: acme.my.salesforce.com, for example.",
  speaksSandbox: true,
  open({ SALESFORCE_CLIENT_ID: clientId, SALESFORCE_CLIENT_SECRET: clientSecret }, { sandbox }) {
    const onThisMachine = sandbox === null ? null : { host: sandbox.domain, address: sandbox.address };
    const outbound = openOutbound({ onThisMachine, timeoutMs: 20_000 });
    const api = createApi(outbound);
    const app = clientId === undefined ? null : { clientId, clientSecret: clientSecret ?? null };
    return {
      readWorkspaceDomain: (typed) => readWorkspaceDomain(typed, sandbox?.domain ?? null),
      ...createOAuth({ api, sandbox, app }),
      readLeads: createLeadReader(api),
      close: () => outbound.close(),
    };
  },
};
