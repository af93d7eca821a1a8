import type { CrmModule } from "@leadline/adapter-kit/crm";
import { openOutbound } from "@leadline/adapter-kit/outbound/open-outbound";
import { createApi } from "./api.ts";
import { createOAuth } from "./oauth.ts";
import { defaultMapping } from "./mapping.ts";
import { createLeadReader } from "./read-leads.ts";
import { createSelectionReader } from "./read-some.ts";
import { settings } from "./settings.ts";
import { createSources } from "./sources.ts";
import { readWorkspace } from "./workspace.ts";
import { createWebhooks } from "./webhooks.ts";
import { createCallWriter } from "./write-calls.ts";
import { createLeadWriter } from "./write-leads.ts";

/** HubSpot's own HTTP API: OAuth 2.0 with the app's secret, and CRM v3 contacts by list and by search. */
export const crm: CrmModule<typeof settings> = {
  id: "hubspot",
  name: "HubSpot",
  capabilities: { deletions: true, globalIds: false },
  settings,
  workspaceField: null,
  writingHelp:
    "HubSpot shows your Leadline app as the source of each change. A contact’s email is unique there: a lead that you create from Leadline becomes the contact with its email, if there is one.",
  open({ HUBSPOT_CLIENT_ID: clientId, HUBSPOT_CLIENT_SECRET: clientSecret }, { sandbox }) {
    const onThisMachine = sandbox === null ? null : { host: sandbox.domain, address: sandbox.address };
    const outbound = openOutbound({ onThisMachine, timeoutMs: 20_000 });
    const api = createApi(outbound, sandbox?.domain ?? null);
    const app = clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };
    return {
      readWorkspace: (typed) => readWorkspace(typed, sandbox?.domain ?? null),
      ...createOAuth({ api, sandbox, app }),
      sources: createSources(api),
      defaultMapping,
      readLeads: createLeadReader(api, sandbox),
      bulk: null,
      readSome: createSelectionReader(api, sandbox),
      readLimit: async ({ accessToken }) => api.limits.read(accessToken),
      calls: createCallWriter(api, sandbox),
      leads: createLeadWriter(api),
      webhooks: createWebhooks({ sandbox, clientSecret: clientSecret ?? null }),
      close: () => outbound.close(),
    };
  },
};
