import type { CrmServiceDescription, Integration } from "@leadline/contract/integrations";
import { useState } from "react";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { Table, TableBody, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { IntegrationRow } from "./integration-row.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { SyncRunsDialog } from "./sync-runs-dialog.tsx";

export type IntegrationDialog = "rename" | "runs" | "remove";

interface IntegrationsTableProps {
  integrations: readonly Integration[];
  services: readonly CrmServiceDescription[];
  /** Add, connect, rename and remove are an admin's. */
  mayChange: boolean;
}

export function IntegrationsTable({ integrations, services, mayChange }: IntegrationsTableProps) {
  const [dialog, setDialog] = useState<{ kind: IntegrationDialog; integration: Integration } | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Table label="Integrations">
        <caption className="caption-bottom border-t border-line px-3 text-left md:px-4 py-2.5 text-table text-ink-soft">
          A list of your CRM integrations.
        </caption>
        <Head />
        <TableBody>
          {integrations.map((integration) => {
            const service = services.find((one) => one.service === integration.service);
            return (
              <IntegrationRow
                key={integration.id}
                integration={integration}
                serviceName={service?.name ?? integration.service}
                connects={service?.connects ?? false}
                mayChange={mayChange}
                onOpen={(kind) => setDialog({ kind, integration })}
              />
            );
          })}
        </TableBody>
      </Table>
      {dialog?.kind === "rename" ? <RenameDialog integration={dialog.integration} onClose={close} /> : null}
      {dialog?.kind === "runs" ? <SyncRunsDialog integration={dialog.integration} onClose={close} /> : null}
      {dialog?.kind === "remove" ? <RemoveDialog integration={dialog.integration} onClose={close} /> : null}
    </>
  );
}

export const IntegrationsSkeleton = () => (
  <TableSkeleton
    label="Loading your integrations"
    head={<Head />}
    rows={2}
    actionsWidth="w-28"
    columns={[
      { width: "w-16", className: "max-md:hidden" },
      { width: ["w-28", "w-40"] },
      { width: "w-20", className: "max-md:hidden" },
      { width: "w-44", className: "max-md:hidden" },
      { width: "w-16" },
    ]}
  />
);

function Head() {
  return (
    <TableHead>
      <TableRow>
        <TableHeadCell className="max-md:hidden">ID</TableHeadCell>
        <TableHeadCell>Label</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Service</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Workspace Domain</TableHeadCell>
        <TableHeadCell>Status</TableHeadCell>
        <TableHeadCell align="right" className="right-0">
          Actions
        </TableHeadCell>
      </TableRow>
    </TableHead>
  );
}
