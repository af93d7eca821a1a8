import { exportAuditEntries, listAuditEntries } from "@leadline/contract/audit-log";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Download, History, SearchX } from "lucide-react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { may } from "../../components/may.ts";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { useTimes } from "../../components/use-times.ts";
import { requestFile } from "../../data/api-client.ts";
import { auditEntriesQuery } from "../../data/audit-log-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { saveFile } from "../../data/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AuditEntryRow } from "./audit-entry-row.tsx";
import { AuditLogFilters } from "./audit-log-filters.tsx";
import { KeptDays } from "./kept-days.tsx";
import { useAuditFilter } from "./use-audit-filter.ts";

const title = "Audit log";

export function AuditLogScreen() {
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title={title} />;
  if (may(organisation.role, listAuditEntries)) return <AuditLog />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title={title} />
      <Notice tone="brass">Only owners and admins can see the audit log.</Notice>
    </div>
  );
}

function AuditLog() {
  const { filter, change, clear } = useAuditFilter();
  const { otherClock } = useTimes();
  const exporting = useMutation({
    mutationFn: () => requestFile(exportAuditEntries, { query: filter }),
    onSuccess: (content) => saveFile(content, `audit-log-${new Date().toISOString().slice(0, 10)}.csv`),
  });
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title={title}
        lead={`Who changed what, when and from where.${otherClock === null ? "" : ` Times are in ${otherClock}.`}`}
        action={
          <Button tone="plain" className="max-md:h-11" busy={exporting.isPending} onClick={() => exporting.mutate()}>
            <Download aria-hidden="true" /> Download CSV
          </Button>
        }
      />
      {exporting.isError ? <Notice>{problemDetail(exporting.error)}</Notice> : null}
      <AuditLogFilters filter={filter} onChange={change} />
      <Entries filter={filter} onClear={clear} />
      <KeptDays />
    </div>
  );
}

function Entries({ filter, onClear }: { filter: ReturnType<typeof useAuditFilter>["filter"]; onClear: () => void }) {
  const list = useInfiniteQuery(auditEntriesQuery(filter));
  if (!list.data)
    return list.isError ? (
      <LoadFailed what="The audit log" query={list} />
    ) : (
      <div role="status" aria-label="Loading the audit log" className="flex flex-col gap-2">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-20 w-full rounded-md" />
        ))}
      </div>
    );
  const { pages } = list.data;
  if (pages.every(({ entries }) => entries.length === 0))
    return Object.keys(filter).length > 0 ? (
      <EmptyState
        picture={<SearchX className="size-8" aria-hidden="true" />}
        title="No entries match"
        action={
          <Button tone="plain" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    ) : (
      <EmptyState picture={<History className="size-8" aria-hidden="true" />} title="No entries yet">
        Changes that people and Leadline itself make are listed here.
      </EmptyState>
    );
  return (
    <>
      <ol
        aria-label="Changes"
        aria-busy={list.isPlaceholderData}
        className={clsx(
          "rounded-md border border-line bg-panel transition-opacity",
          list.isPlaceholderData && "opacity-60",
        )}
      >
        {pages.flatMap(({ entries, people }) =>
          entries.map((entry) => <AuditEntryRow key={entry.id} entry={entry} people={people} />),
        )}
      </ol>
      {list.isFetchNextPageError ? <Notice>{problemDetail(list.error)}</Notice> : null}
      {list.hasNextPage ? (
        <div className="flex justify-center">
          <Button
            tone="plain"
            size="small"
            className="max-md:h-11"
            busy={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            Load more
          </Button>
        </div>
      ) : null}
    </>
  );
}
