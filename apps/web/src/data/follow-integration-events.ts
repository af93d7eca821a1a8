import type { SyncProgress } from "@leadline/contract/integrations";
import { integrationsQuery, syncRunsQuery } from "./integrations-query.ts";
import { subscribeLiveEvent } from "./live-events.ts";
import { leadTimelineQuery } from "./lead-timeline-query.ts";
import { leadWritingQuery } from "./lead-writing-query.ts";
import { leadQuery, leadsKey } from "./leads-query.ts";
import { queryClient } from "./query-client.ts";
import { noteSyncRun } from "./started-syncs.ts";

/** Progress is written into the shown data; everything else is refetched. Returns an unsubscribe function. */
export function followIntegrationEvents(): () => void {
  const stops = [
    subscribeLiveEvent("integration.updated", () => {
      void queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
    }),
    subscribeLiveEvent("sync.updated", showSyncProgress),
    subscribeLiveEvent("lead.written", ({ leadId }) => {
      const { queryKey: writing } = leadWritingQuery(leadId);
      for (const queryKey of [writing, leadQuery(leadId).queryKey, leadTimelineQuery(leadId).queryKey])
        void queryClient.invalidateQueries({ queryKey });
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

export function showSyncProgress({ integrationId, ...run }: SyncProgress): void {
  queryClient.setQueryData(integrationsQuery.queryKey, (integrations) =>
    integrations?.map((integration) =>
      integration.id === integrationId ? { ...integration, lastSync: run } : integration,
    ),
  );
  if (run.endedAt === null) return noteSyncRun(run);
  void queryClient.invalidateQueries({ queryKey: syncRunsQuery(integrationId).queryKey });
  // When it is reported done, its last leads are in the list.
  void queryClient.invalidateQueries({ queryKey: leadsKey }).finally(() => noteSyncRun(run));
}
