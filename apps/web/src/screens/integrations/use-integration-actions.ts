import { type Integration, startServiceLogin, syncIntegration } from "@leadline/contract/integrations";
import { retrySyncRun } from "@leadline/contract/retry-sync-run";
import { useMutation } from "@tanstack/react-query";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { noteSyncStarted } from "../../data/started-syncs.ts";

/** Redirects to the CRM's consent page. Stays pending until the browser has left. */
export const useConnect = ({ id, service }: Integration) =>
  useMutation({
    async mutationFn() {
      const { url } = await request(startServiceLogin, { params: { id, service } });
      location.assign(url);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    },
  });

/** `retriesRun`: a run whose listed records are read again. */
export const useSync = ({ id }: Pick<Integration, "id">, { retriesRun }: { retriesRun?: string } = {}) =>
  useMutation({
    mutationFn: () =>
      retriesRun === undefined
        ? request(syncIntegration, { params: { id } })
        : request(retrySyncRun, { params: { id, runId: retriesRun } }),
    onSuccess(run) {
      queryClient.setQueryData(integrationsQuery.queryKey, (integrations) =>
        integrations?.map((one) => (one.id === id && !isNewer(one, run) ? { ...one, lastSync: run } : one)),
      );
      noteSyncStarted(run);
      // The run, and its event, may be over before this response arrives.
      void queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey }),
  });

/** An event may be newer than the response. */
const isNewer = ({ lastSync }: Integration, run: { id: string; read: number }): boolean =>
  lastSync?.id === run.id && (lastSync.endedAt !== null || lastSync.read > run.read);
