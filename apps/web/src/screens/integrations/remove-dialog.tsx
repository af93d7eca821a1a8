import { type Integration, removeIntegration } from "@leadline/contract/integrations";
import { useMutation } from "@tanstack/react-query";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";

export function RemoveDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const removing = useMutation({
    mutationFn: () => request(removeIntegration, { params: { id: integration.id } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
      onClose();
    },
  });
  const consequence =
    integration.status === "active"
      ? "Leadline loses its access to the CRM. The leads stay here, but are no longer updated."
      : "It was never connected, so it has no leads.";
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${integration.label}?`}
      description={consequence}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button tone="danger" busy={removing.isPending} onClick={() => removing.mutate()}>
            Remove
          </Button>
        </>
      }
    >
      {removing.isError ? <Notice>{problemDetail(removing.error)}</Notice> : null}
    </Dialog>
  );
}
