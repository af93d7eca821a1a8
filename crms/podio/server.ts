import type { CrmModule } from "@leadline/adapter-kit/crm";
import { openOutbound } from "@leadline/adapter-kit/outbound/open-outbound";
import { createApi } from "./api.ts";
import { createOAuth } from "./oauth.ts";
import { createLeadReader } from "./read-leads.ts";
import { createSelectionReader } from "./read-some.ts";
import { settings } from "./settings.ts";
import { createSources } from "./sources.ts";
import { readWorkspace } from "./workspace.ts";
import { createWebhooks } from "./webhooks.ts";
import { createCallWriter } from "./write-calls.ts";
import { createLeadWriter } from "./write-leads.ts";

/** Podio's own HTTP API: OAuth 2.0 with the app's secret, the items of one app by filter, and calls as comments on them. */
export const crm: CrmModule<typeof settings> = {
  id: "podio",
  name: "Podio",
  // Podio doesn't list deleted items. An account is the person who allowed access, who may be replaced by a colleague.
  capabilities: { deletions: false, globalIds: true },
  settings,
  workspaceField: null,
  writingHelp:
    "Podio records the person who connected it as the one who changed the item, and notifies nobody. Text, email, phone and category fields can be changed, and the contact who owns the item. Other contacts and calculations can’t.",
  open({ PODIO_CLIENT_ID: clientId, PODIO_CLIENT_SECRET: clientSecret }, { sandbox }) {
    const onThisMachine = sandbox === null ? null : { host: sandbox.domain, address: sandbox.address };
    const outbound = openOutbound({ onThisMachine, timeoutMs: 20_000 });
    const api = createApi(outbound, sandbox?.domain ?? null);
    const app = clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };
    return {
      readWorkspace: (typed) => readWorkspace(typed, sandbox?.domain ?? null),
      ...createOAuth({ api, sandbox, app }),
      sources: createSources(api),
      defaultMapping: null,
      readLeads: createLeadReader(api, sandbox),
      bulk: null,
      readSome: createSelectionReader(api, sandbox),
      readLimit: async ({ accessToken }) => api.limits.read(accessToken),
      calls: createCallWriter(api, sandbox),
      leads: createLeadWriter(api),
      webhooks: createWebhooks(api),
      close: () => outbound.close(),
    };
  },
};
