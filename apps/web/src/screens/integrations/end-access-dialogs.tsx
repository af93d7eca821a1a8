import { disconnectIntegration, type Unwritten } from "@leadline/contract/disconnect-integration";
import { type Integration, removeIntegration } from "@leadline/contract/integrations";
import { useQuery } from "@tanstack/react-query";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useCrmName } from "../../components/use-crm-name.ts";
import { request } from "../../data/api-client.ts";
import { integrationsQuery, unwrittenQuery } from "../../data/integrations-query.ts";
import { queryClient } from "../../data/query-client.ts";

interface EndAccessDialogProps {
  integration: Integration;
  onClose: () => void;
}

const readAgain = () => queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });

export function DisconnectDialog({ integration, onClose }: EndAccessDialogProps) {
  const { id, label, service } = integration;
  const name = useCrmName(service);
  return (
    <ConfirmDialog
      title={`Disconnect ${label}?`}
      action="Disconnect"
      run={() => request(disconnectIntegration, { params: { id } }).then(readAgain)}
      onDone={() => {}}
      onClose={onClose}
    >
      Leadline gives up its access to {name}. The leads stay here, but are no longer updated. Calls wait to be logged
      until you connect it again.
    </ConfirmDialog>
  );
}

export function RemoveDialog({ integration, onClose }: EndAccessDialogProps) {
  const { id, label, status, service } = integration;
  const name = useCrmName(service);
  const { data: unwritten } = useQuery(unwrittenQuery(id));
  const unwrittenHere = unwritten && unwrittenOf(unwritten, { name, keeps: status === "active" });
  return (
    <ConfirmDialog
      title={`Remove ${label}?`}
      action="Remove"
      cancel="Keep it"
      run={() => request(removeIntegration, { params: { id } }).then(readAgain)}
      onDone={() => {}}
      onClose={onClose}
    >
      <span className="block">{lossesOf(integration)}</span>
      {unwrittenHere ? <span className="mt-3 block">{unwrittenHere}</span> : null}
    </ConfirmDialog>
  );
}

function lossesOf({ status, lastSync }: Integration): string {
  const leads = "The leads stay here, but are no longer updated.";
  if (status === "active") return `Leadline loses its access to the CRM. ${leads}`;
  return lastSync === null ? "No leads were synced from it." : leads;
}

/** Null if the CRM has everything. */
function unwrittenOf({ calls, leads }: Unwritten, { name, keeps }: { name: string; keeps: boolean }): string | null {
  const counted = (count: number, one: string) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
  const what = [
    ...(calls > 0 ? [counted(calls, "call")] : []),
    ...(leads > 0 ? [`${calls > 0 ? "the" : "The"} changes of ${counted(leads, "lead")}`] : []),
  ].join(" and ");
  if (what === "") return null;
  const isOne = calls === 1 && leads === 0;
  const [verb, they, them] = isOne ? ["isn’t", "it", "it"] : ["aren’t", "they", "them"];
  const instead = keeps ? ` To keep ${them} waiting, disconnect instead.` : "";
  return `${what} ${verb} in ${name} yet. If you remove the integration, ${they} never will be.${instead}`;
}
