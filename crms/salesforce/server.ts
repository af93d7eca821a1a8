import type { CrmModule } from "@leadline/adapter-kit/crm";
import { openOutbound } from "@leadline/adapter-kit/outbound/open-outbound";
import { createApi } from "./api.ts";
import { createOAuth } from "./oauth.ts";
import { createBulkReader } from "./read-in-bulk.ts";
import { createLeadReader } from "./read-leads.ts";
import { createLimitReader } from "./read-limit.ts";
import { defaultMapping } from "./mapping.ts";
import { createSelectionReader } from "./read-some.ts";
import { settings } from "./settings.ts";
import { createSources } from "./sources.ts";
import { createCallWriter } from "./write-calls.ts";
import { createLeadWriter } from "./write-leads.ts";
import { readWorkspaceDomain } from "./workspace-domain.ts";

/** Salesforce by its own HTTP interfaces: OAuth 2.0 with PKCE, SOQL over REST, Bulk API 2.0, getDeleted. */
export const crm: CrmModule<typeof settings> = {
  id: "salesforce",
  name: "Salesforce",
  capabilities: { deletions: true, globalIds: false },
  settings,
  workspaceField: {
    label: "Workspace domain",
    help: "Find it in Salesforce under Setup, My Domain: acme.my.salesforce.com, for example.",
    minLength: 5,
    missing: "Workspace domain is required.",
  },
  writingHelp:
    "Salesforce records the connected user as the one who changed the lead. Its validation rules and required fields apply: a change that they refuse stays in Leadline. A lead that you create from Leadline gets a completed task, by which Leadline finds it again.",
  open(chosen, { sandbox }) {
    const { SALESFORCE_CLIENT_ID: clientId, SALESFORCE_CLIENT_SECRET: clientSecret } = chosen;
    const onThisMachine = sandbox === null ? null : { host: sandbox.domain, address: sandbox.address };
    const outbound = openOutbound({ onThisMachine, timeoutMs: 20_000 });
    const api = createApi(outbound);
    const bulk = createBulkReader({ api, sandbox, fromLeads: chosen.SALESFORCE_BULK_FROM ?? 2_000 });
    const app = clientId === undefined ? null : { clientId, clientSecret: clientSecret ?? null };
    return {
      readWorkspace: (typed) => readWorkspaceDomain(typed, sandbox?.domain ?? null),
      ...createOAuth({ api, sandbox, app }),
      sources: createSources(api, sandbox),
      defaultMapping,
      readLeads: createLeadReader({ api, sandbox, bulk }),
      bulk,
      readSome: createSelectionReader(api, sandbox),
      readLimit: createLimitReader(api, sandbox),
      calls: createCallWriter(api, sandbox),
      leads: createLeadWriter(api, sandbox),
      webhooks: null,
      close: () => outbound.close(),
    };
  },
};
