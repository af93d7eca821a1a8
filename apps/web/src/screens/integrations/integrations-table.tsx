import type { CrmServiceDescription, Integration } from "@leadline/contract/integrations";
import { useState } from "react";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody } from "../../ui/table.tsx";
import { DisconnectDialog, RemoveDialog } from "./end-access-dialogs.tsx";
import { IntegrationRow } from "./integration-row.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { SyncRunsDialog } from "./sync-runs-dialog.tsx";

const columns: TableColumns = {
  columns: [
    { head: "ID", width: "w-16", className: "max-md:hidden" },
    { head: "Label", width: ["w-28", "w-40"] },
    { head: "Service", width: "w-20", className: "max-md:hidden" },
    { head: "Workspace Domain", width: "w-44", className: "max-md:hidden" },
    { head: "Status", width: "w-16" },
  ],
  actions: { width: "w-28", className: "right-0" },
};

export type IntegrationDialog = "rename" | "runs" | "disconnect" | "remove";

interface IntegrationsTableProps {
  integrations: readonly Integration[];
  services: readonly CrmServiceDescription[];
  /** Only admins may add, connect, rename and remove. */
  mayChange: boolean;
}

export function IntegrationsTable({ integrations, services, mayChange }: IntegrationsTableProps) {
  const [dialog, setDialog] = useState<{ kind: IntegrationDialog; integration: Integration } | null>(null);
  const close = () => setDialog(null);
  const service = services.find((one) => one.service === dialog?.integration.service);
  return (
    <>
      <Table label="Integrations">
        <caption className="caption-bottom border-t border-line px-3 text-left md:px-4 py-2.5 text-table text-ink-soft">
          A list of your CRM integrations.
        </caption>
        <ColumnHeads {...columns} />
        <TableBody>
          {integrations.map((integration) => (
            <IntegrationRow
              key={integration.id}
              integration={integration}
              service={services.find((one) => one.service === integration.service)}
              mayChange={mayChange}
              onOpen={(kind) => setDialog({ kind, integration })}
            />
          ))}
        </TableBody>
      </Table>
      {dialog?.kind === "rename" ? <RenameDialog integration={dialog.integration} onClose={close} /> : null}
      {dialog?.kind === "runs" ? (
        <SyncRunsDialog
          integration={dialog.integration}
          serviceName={service?.name ?? dialog.integration.service}
          deletions={service?.deletions ?? false}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === "disconnect" ? <DisconnectDialog integration={dialog.integration} onClose={close} /> : null}
      {dialog?.kind === "remove" ? <RemoveDialog integration={dialog.integration} onClose={close} /> : null}
    </>
  );
}

export const IntegrationsSkeleton = () => <TableSkeleton label="Loading your integrations" rows={2} {...columns} />;
