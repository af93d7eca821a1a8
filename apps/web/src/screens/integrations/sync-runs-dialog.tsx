import type { Integration, SyncRun } from "@leadline/contract/integrations";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { textLinkLook } from "../../components/auth-card.tsx";
import { formatFullTime, formatWhen } from "../../components/format-time.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useNow } from "../../components/use-now.ts";
import { syncRunsQuery } from "../../data/integrations-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RequestsLeft } from "./requests-left.tsx";
import { runOutcomes, startedBy } from "./run-labels.ts";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";

interface SyncRunsDialogProps {
  integration: Integration;
  serviceName: string;
  /** Whether the CRM reports deleted leads. */
  deletions: boolean;
  onClose: () => void;
}

export function SyncRunsDialog({ integration, serviceName, deletions, onClose }: SyncRunsDialogProps) {
  const runs = useQuery(syncRunsQuery(integration.id));
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Recent syncs"
      description={integration.label}
      className="w-[min(680px,calc(100vw-32px))]"
      footer={
        <Button tone="plain" onClick={onClose}>
          Done
        </Button>
      }
    >
      {integration.requestLimit ? <RequestsLeft limit={integration.requestLimit} serviceName={serviceName} /> : null}
      {runs.data ? (
        runs.data.length > 0 ? (
          <Runs
            integrationId={integration.id}
            runs={runs.data}
            deletions={deletions || runs.data.some((run) => run.comparesAll)}
          />
        ) : (
          <EmptyState title="No syncs yet">The first sync imports all leads. Later syncs import changes.</EmptyState>
        )
      ) : runs.isError ? (
        <LoadFailed what="Recent syncs" query={runs} />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-4 py-3">
          <output className="sr-only">Loading recent syncs</output>
          <Skeleton className="w-full" />
          <Skeleton className="w-full" />
        </div>
      )}
    </Dialog>
  );
}

interface RunsProps {
  integrationId: string;
  runs: readonly SyncRun[];
  deletions: boolean;
}

function Runs({ integrationId, runs, deletions }: RunsProps) {
  const now = useNow();
  return (
    <Table label="Recent syncs">
      <TableHead>
        <TableRow>
          <TableHeadCell>Started</TableHeadCell>
          <TableHeadCell>Result</TableHeadCell>
          <TableHeadCell align="right">Read</TableHeadCell>
          <TableHeadCell align="right">New</TableHeadCell>
          <TableHeadCell align="right">Changed</TableHeadCell>
          {deletions ? (
            <>
              <TableHeadCell align="right">Deleted</TableHeadCell>
              <TableHeadCell
                align="right"
                title="Deleted in the CRM, but kept here because of your notes, files or calls"
              >
                Kept
              </TableHeadCell>
            </>
          ) : null}
          <TableHeadCell align="right">Left out</TableHeadCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {runs.map((run) => (
          <TableRow key={run.id}>
            <TableCell className="whitespace-nowrap">
              <Link
                to="/integrations/$integrationId/syncs/$runId"
                params={{ integrationId, runId: run.id }}
                className={textLinkLook}
              >
                <time dateTime={run.createdAt} title={formatFullTime(run.createdAt)}>
                  {formatWhen(run.createdAt, now)}
                </time>
              </Link>
              {run.scheduled ? <p className="pb-1 text-xs text-ink-soft">{startedBy(run)}</p> : null}
            </TableCell>
            <TableCell>
              <Badge tone={runOutcomes[run.status].tone}>{runOutcomes[run.status].words}</Badge>
              {run.problem ? <p className="mt-1 max-w-[36ch] pb-1 text-xs text-ink-soft">{run.problem}</p> : null}
            </TableCell>
            {countsOf(run, deletions).map((count, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- the columns never move
              <TableCell key={column} align="right">
                {count.toLocaleString()}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

const countsOf = (run: SyncRun, deletions: boolean): number[] => {
  const gone = deletions ? [run.deleted, run.kept ?? 0] : [];
  return [run.read, run.created, run.updated, ...gone, run.failed];
};
