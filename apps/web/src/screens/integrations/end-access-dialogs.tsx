import { disconnectIntegration } from "@leadline/contract/disconnect-integration";
import { type Integration, removeIntegration } from "@leadline/contract/integrations";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useCrmName } from "../../components/use-crm-name.ts";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
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
  const { id, label } = integration;
  return (
    <ConfirmDialog
      title={`Remove ${label}?`}
      action="Remove"
      cancel="Keep it"
      run={() => request(removeIntegration, { params: { id } }).then(readAgain)}
      onDone={() => {}}
      onClose={onClose}
    >
      {lossesOf(integration)}
    </ConfirmDialog>
  );
}

function lossesOf({ status, lastSync }: Integration): string {
  const leads = "The leads stay here, but are no longer updated.";
  if (status === "active") return `Leadline loses its access to the CRM. ${leads}`;
  return lastSync === null ? "No leads were synced from it." : leads;
}
