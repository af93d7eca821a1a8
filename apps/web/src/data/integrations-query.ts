import { listCrmOwners } from "@leadline/contract/crm-owners";
import { countUnwritten } from "@leadline/contract/disconnect-integration";
import {
  describeCrmSource,
  type Integration,
  listCrmServices,
  listCrmSources,
  listIntegrations,
  getSyncRun,
  listSyncRuns,
} from "@leadline/contract/integrations";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { noteSyncRun } from "./started-syncs.ts";

const hasLiveSync = (integration: Integration): boolean =>
  integration.lastSync !== null && integration.lastSync.endedAt === null;

export const integrationsQuery = queryOptions({
  queryKey: ["integrations"],
  async queryFn({ signal }) {
    const integrations = await request(listIntegrations, {}, { signal });
    for (const { lastSync } of integrations) if (lastSync !== null) noteSyncRun(lastSync);
    return integrations;
  },
  // Events are faster; this is for when the stream is down.
  refetchInterval: (query) => (query.state.data?.some(hasLiveSync) ? 4_000 : false),
});

/** They only change with the installation. */
export const crmServicesQuery = queryOptions({
  queryKey: ["crm-services"],
  queryFn: ({ signal }) => request(listCrmServices, {}, { signal }),
  staleTime: Infinity,
});

export const syncRunsQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["sync-runs", integrationId],
    queryFn: ({ signal }) => request(listSyncRuns, { params: { id: integrationId } }, { signal }),
    staleTime: 0,
  });

export const syncRunQuery = (key: { integrationId: string; runId: string }) =>
  queryOptions({
    queryKey: ["sync-run", key.runId],
    queryFn: ({ signal }) => request(getSyncRun, { params: { id: key.integrationId, runId: key.runId } }, { signal }),
    staleTime: 0,
    refetchInterval: (query) => (query.state.data?.endedAt === null ? 1_000 : false),
  });

/** Counted anew whenever someone opens the dialog. */
export const unwrittenQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["unwritten", integrationId],
    queryFn: ({ signal }) => request(countUnwritten, { params: { id: integrationId } }, { signal }),
    gcTime: 0,
  });

/** As listed by the CRM; refetched whenever someone opens the choice. */
export const crmSourcesQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["crm-sources", integrationId],
    queryFn: ({ signal }) => request(listCrmSources, { params: { id: integrationId } }, { signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Owners that the CRM has named so far. */
export const crmOwnersQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["crm-owners", integrationId],
    queryFn: ({ signal }) => request(listCrmOwners, { params: { id: integrationId } }, { signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const crmSourceQuery = (integrationId: string, source: string) =>
  queryOptions({
    queryKey: ["crm-source", integrationId, source],
    queryFn: ({ signal }) => request(describeCrmSource, { params: { id: integrationId, source } }, { signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
