import { deleteLeadImport, type ListedImport } from "@leadline/contract/lead-imports";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { toast } from "sonner";
import { formatFullTime, formatWhen } from "../../components/format-time.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useNow } from "../../components/use-now.ts";
import { useRefusal } from "../../components/use-refusal.ts";
import { request } from "../../data/api-client.ts";
import { leadImportsQuery } from "../../data/lead-import-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { importCounts } from "../../data/started-imports.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ItemNote } from "../../ui/row-note.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Links back to earlier imports: their progress, and the rows that couldn't be imported. */
export function LatestImports() {
  const imports = useQuery(leadImportsQuery);
  if (imports.data?.length === 0) return null;
  return (
    <section aria-labelledby="latest-imports" className="flex max-w-[640px] flex-col gap-2">
      <h2 id="latest-imports" className="text-sm font-semibold">
        {" "}
        Recent imports
      </h2>
      {imports.data ? (
        <ul className="rounded-md border border-line bg-panel">
          {imports.data.map((one) => (
            <ImportRow key={one.id} listed={one} />
          ))}
        </ul>
      ) : imports.isError ? (
        <LoadFailed what="Recent imports" query={imports} />
      ) : (
        <Skeleton className="h-32 rounded-md" />
      )}
    </section>
  );
}

const states = {
  draft: { label: "Not started", tone: "plain" },
  running: { label: "Importing", tone: "brass" },
  completed: { label: "Imported", tone: "brand" },
  failed: { label: "Stopped partway", tone: "fault" },
} as const;

function ImportRow({ listed }: { listed: ListedImport }) {
  const now = useNow();
  const { id, fileName, state, rowCount, created, skipped, failed, createdAt } = listed;
  const rows = `${rowCount.toLocaleString()} ${rowCount === 1 ? "row" : "rows"}`;
  const settled = `${(created + skipped + failed).toLocaleString()} of ${rows}`;
  const progress = { draft: rows, running: settled, completed: importCounts(listed), failed: settled };
  const { refusal, refusalHandlers } = useRefusal();
  const discarding = useMutation({
    mutationFn: () => request(deleteLeadImport, { params: { id } }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: leadImportsQuery.queryKey });
      toast.success(`${fileName} discarded. Nothing was imported.`);
    },
    ...refusalHandlers,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-40">
        <Link
          to="/leads/import"
          search={{ id }}
          className="block truncate rounded-[4px] text-sm font-medium hover:underline"
        >
          {fileName}
        </Link>
        <p className="text-xs text-ink-soft tabular-nums">
          <time dateTime={createdAt} title={formatFullTime(createdAt)}>
            {formatWhen(createdAt, now)}
          </time>{" "}
          · {progress[state]}
        </p>
      </div>
      <Badge tone={states[state].tone}>{states[state].label}</Badge>
      {state === "draft" ? (
        <div className="flex items-center gap-1">
          <Button asChild tone="plain" size="small">
            <Link to="/leads/import" search={{ id }} aria-label={`Continue with ${fileName}`}>
              Continue
            </Link>
          </Button>
          <Button
            tone="quiet"
            size="small"
            aria-label={`Discard ${fileName}`}
            busy={discarding.isPending}
            onClick={() => discarding.mutate()}
          >
            Discard
          </Button>
        </div>
      ) : null}
      {refusal ? <ItemNote>{refusal}</ItemNote> : null}
    </li>
  );
}
