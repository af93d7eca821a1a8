import type { CrmServiceDescription, Integration, SyncRun } from "@leadline/contract/integrations";
import { CopyableId } from "../../components/copyable-id.tsx";
import { formatWhen } from "../../components/format-time.ts";
import { useNow } from "../../components/use-now.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Badge } from "../../ui/badge.tsx";
import { RowNote } from "../../ui/row-note.tsx";
import { TableCell, TableRow } from "../../ui/table.tsx";
import { IntegrationActions, lacksSource } from "./integration-actions.tsx";
import type { IntegrationDialog } from "./integrations-table.tsx";
import { LastSync } from "./last-sync.tsx";
import { useConnect, useSync } from "./use-integration-actions.ts";

interface IntegrationRowProps {
  integration: Integration;
  service: CrmServiceDescription | undefined;
  mayChange: boolean;
  onOpen: (dialog: IntegrationDialog) => void;
}

/** The row and, if something is wrong, a line below it with the problem and what to do next. */
export function IntegrationRow({ integration, service, mayChange, onOpen }: IntegrationRowProps) {
  const { id, label, workspaceDomain, status, problem, lastSync } = integration;
  const serviceName = service?.name ?? integration.service;
  const connect = useConnect(integration);
  const sync = useSync(integration);
  const now = useNow();
  const failure = connect.error ?? sync.error;
  const fault = failure
    ? problemDetail(failure)
    : (problem ?? (lastSync?.status === "failed" ? `The last sync failed. ${lastSync.problem}` : null));
  const hint = service
    ? (waitOf(lastSync, now) ?? choiceOf(integration, { service, mayChange }) ?? firstSyncOf(integration))
    : `This server can’t connect to ${serviceName}. Your integration is kept until it can.`;
  const note = fault ?? hint;

  return (
    <>
      <TableRow className={note ? "border-b-0" : undefined}>
        <TableCell className="max-md:hidden">
          <CopyableId id={id} />
        </TableCell>
        <TableCell className="max-w-[220px] truncate font-medium max-md:w-full max-md:max-w-0 max-md:py-2">
          {label}
          <span className="block truncate text-xs font-normal text-ink-soft md:hidden">{serviceName}</span>
        </TableCell>
        <TableCell className="whitespace-nowrap max-md:hidden">{serviceName}</TableCell>
        <TableCell className="max-w-[240px] truncate text-ink-soft max-md:hidden">
          {workspaceDomain ?? <span aria-label="None">–</span>}
        </TableCell>
        <TableCell>
          <div className="flex items-center gap-3 max-md:flex-col max-md:items-start max-md:gap-1 max-md:py-2">
            <StatusBadge status={status} broken={problem !== null} />
            {/* The same width whether it runs or not, so that no column moves. */}
            {lastSync ? (
              <span className="w-44 max-md:w-auto max-md:min-w-28">
                <LastSync run={lastSync} />
              </span>
            ) : null}
          </div>
        </TableCell>
        {/* Stays visible when the table scrolls, because it is the main action. */}
        <TableCell align="right" className="sticky right-0 bg-panel group-hover/row:bg-sunk">
          <IntegrationActions {...{ integration, service, mayChange, connect, sync, onOpen }} />
        </TableCell>
      </TableRow>
      {note ? (
        <RowNote tone={fault ? "fault" : "plain"} columns={6}>
          {note}
        </RowNote>
      ) : null}
    </>
  );
}

/** Why a waiting sync waits, and until when. */
function waitOf(run: SyncRun | null, now: Date): string | null {
  if (run === null || run.endedAt !== null || run.problem === null || run.retryAt === null) return null;
  return `${run.problem} The sync continues automatically at ${formatWhen(run.retryAt, now)}.`;
}

/** What to do before the first sync. */
function choiceOf(
  integration: Integration,
  { service, mayChange }: { service: CrmServiceDescription; mayChange: boolean },
): string | null {
  if (!lacksSource(integration, service)) return null;
  return mayChange
    ? `Choose where your leads are in ${service.name} to sync them.`
    : `An owner or admin needs to choose where your leads are in ${service.name}.`;
}

const firstSyncOf = ({ status, lastSync }: Integration): string | null =>
  status === "active" && lastSync === null
    ? "Not synced yet. Someone has to start the first sync; after that, changes come automatically."
    : null;

function StatusBadge({ status, broken }: { status: Integration["status"]; broken: boolean }) {
  if (status === "inactive") return <Badge>Inactive</Badge>;
  return broken ? <Badge tone="fault">Disconnected</Badge> : <Badge tone="brand">Active</Badge>;
}
