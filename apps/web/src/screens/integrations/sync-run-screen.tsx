import { maxListedLeftOut, type SyncRunDetails } from "@leadline/contract/integrations";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { ExternalLink, RefreshCw } from "lucide-react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { formatDuration, formatFullTime } from "../../components/format-time.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useCrmName } from "../../components/use-crm-name.ts";
import { useNow } from "../../components/use-now.ts";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { syncRunQuery } from "../../data/integrations-query.ts";
import { problemDetail, ProblemError } from "../../data/problem-error.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { NotFoundScreen } from "../not-found-screen.tsx";
import { runOutcomes, startedBy } from "./run-labels.ts";
import { useSync } from "./use-integration-actions.ts";

const title = "Sync";

/** One sync: its changes, its duration, and the records that couldn't become leads. */
export function SyncRunScreen() {
  const key = useParams({ from: "/signed-in/integrations/$integrationId/syncs/$runId" });
  const organisation = usePageOrganisation();
  const run = useQuery({ ...syncRunQuery(key), enabled: organisation !== null });
  if (!organisation) return <NoOrganisation title={title} />;
  // Treats an invalid id in the address like a missing record.
  if (run.error instanceof ProblemError && [404, 422].includes(run.error.status)) return <NotFoundScreen />;
  if (run.data) return <Run key={run.data.id} run={run.data} />;
  return (
    <div className="mx-auto flex w-full max-w-[1080px] flex-col gap-5">
      <PageHeader title={title} />
      {run.isError ? (
        <LoadFailed what="This sync" query={run} />
      ) : (
        <div aria-busy="true">
          <output className="sr-only">Loading this sync</output>
          <Skeleton className="h-32 w-full rounded-md" />
        </div>
      )}
    </div>
  );
}

function Run({ run }: { run: SyncRunDetails }) {
  const { integration, leftOut, problem } = run;
  const navigate = useNavigate();
  const sync = useSync(integration, { retriesRun: run.id });
  const name = useCrmName(integration.service);
  const readsOnly = useReadsOnly();
  const mayRetry = !readsOnly && run.endedAt !== null && (run.status === "failed" || run.failed > 0);
  const retry = async () => {
    const started = await sync.mutateAsync().catch(() => null);
    const params = { integrationId: integration.id, runId: started?.id ?? "" };
    if (started) await navigate({ to: "/integrations/$integrationId/syncs/$runId", params });
  };
  return (
    <div className="mx-auto flex w-full max-w-[1080px] flex-col gap-5">
      <PageHeader
        title={`Sync of ${integration.label}`}
        lead={`${startedBy(run)}, ${formatFullTime(run.createdAt)}`}
        action={
          mayRetry ? (
            <Button tone="plain" busy={sync.isPending} onClick={() => void retry()}>
              <RefreshCw aria-hidden="true" /> Retry
            </Button>
          ) : null
        }
      />
      {sync.isError ? <Notice>{problemDetail(sync.error)}</Notice> : null}
      {problem ? <Notice tone={run.status === "failed" ? "fault" : "brass"}>{problem}</Notice> : null}
      <Counts run={run} />
      {run.failed === 0 ? null : (
        <section aria-labelledby="left-out" className="flex flex-col gap-2">
          <h2 id="left-out" className="text-sm font-semibold">
            Left out
          </h2>
          <p className="text-sm text-ink-soft">
            {run.failed === 1 ? "This record" : `These ${run.failed.toLocaleString()} records`} couldn’t become{" "}
            {run.failed === 1 ? "a lead" : "leads"}. Correct {run.failed === 1 ? "it" : "them"} in {name}, then retry,
            or wait for the next sync.
          </p>
          {leftOut.length === 0 ? (
            <EmptyState title="The records aren’t listed">
              This sync ran before Leadline listed these records.
            </EmptyState>
          ) : (
            <LeftOut records={leftOut} crm={name} />
          )}
          {run.failed > leftOut.length && leftOut.length === maxListedLeftOut ? (
            <p className="text-xs text-ink-soft">Only the first {maxListedLeftOut} are listed.</p>
          ) : null}
        </section>
      )}
    </div>
  );
}

function Counts({ run }: { run: SyncRunDetails }) {
  const now = useNow();
  const tookMs = Math.max(
    0,
    (run.endedAt === null ? now.getTime() : Date.parse(run.endedAt)) - Date.parse(run.createdAt),
  );
  const { words, tone } = runOutcomes[run.status];
  const read = run.total === null || run.endedAt !== null ? run.read : null;
  const counts = [
    ["Read", read?.toLocaleString() ?? `${run.read.toLocaleString()} of ${run.total?.toLocaleString()}`],
    ["New", run.created.toLocaleString()],
    ["Changed", run.updated.toLocaleString()],
    ["Deleted", run.deleted.toLocaleString()],
    ["Deleted in the CRM, kept here", (run.kept ?? 0).toLocaleString()],
    ["Left out", run.failed.toLocaleString()],
    ["Duration", formatDuration(tookMs)],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 rounded-md border border-line bg-panel p-5 sm:grid-cols-4">
      <div className="flex flex-col gap-1">
        <dt className="text-xs text-ink-soft">Result</dt>
        <dd>
          <Badge tone={tone}>{words}</Badge>
        </dd>
      </div>
      {counts.map(([term, count]) => (
        <div key={term} className="flex flex-col gap-1">
          <dt className="text-xs text-ink-soft">{term}</dt>
          <dd className="text-sm font-medium tabular-nums">{count}</dd>
        </div>
      ))}
    </dl>
  );
}

function LeftOut({ records, crm }: { records: SyncRunDetails["leftOut"]; crm: string }) {
  return (
    <Table label="Records left out">
      <TableHead>
        <TableRow>
          <TableHeadCell>Record in {crm}</TableHeadCell>
          <TableHeadCell>Why</TableHeadCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {records.map(({ externalId, message, url }) => (
          <TableRow key={externalId}>
            <TableCell className="tabular-nums">
              {url === null ? (
                externalId
              ) : (
                <a
                  href={url}
                  target="_blank"
                  rel="noreferrer"
                  className={`${textLinkLook} inline-flex items-center gap-1.5`}
                >
                  {externalId} <ExternalLink aria-hidden="true" className="size-3.5" />
                </a>
              )}
            </TableCell>
            <TableCell className="text-ink-soft">{message}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
