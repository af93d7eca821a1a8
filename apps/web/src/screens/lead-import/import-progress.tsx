import { deleteLeadImport, type LeadImport } from "@leadline/contract/lead-imports";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { useEffect } from "react";
import { request } from "../../data/api-client.ts";
import { leadsKey } from "../../data/leads-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Duplicates } from "./duplicates.tsx";
import { RowErrors } from "./row-errors.tsx";

export function ImportProgress({ leadImport }: { leadImport: LeadImport }) {
  const navigate = useNavigate();
  const { state, rowCount, created, skipped, failed } = leadImport;
  const running = state === "running";
  const settled = created + skipped + failed;
  useEffect(() => {
    if (!running) void queryClient.invalidateQueries({ queryKey: leadsKey });
  }, [running]);
  const stopping = useMutation({
    mutationFn: () => request(deleteLeadImport, { params: { id: leadImport.id } }),
    onSuccess: () => navigate({ to: "/leads" }),
  });
  return (
    <>
      <section
        aria-label="Progress"
        className="flex max-w-[640px] flex-col gap-4 rounded-md border border-line bg-panel p-5"
      >
        <p className="flex items-center gap-2 text-sm font-medium">
          {state === "completed" ? <CircleCheck className="size-4 shrink-0 text-brand" aria-hidden="true" /> : null}
          {running ? `Importing ${leadImport.fileName}` : null}
          {state === "completed" ? `${leadImport.fileName} imported` : null}
          {state === "failed" ? `${leadImport.fileName} stopped partway` : null}
        </p>
        <progress
          aria-label="Rows processed"
          value={settled}
          max={rowCount}
          className="h-2 w-full overflow-hidden rounded-full bg-ink/10 [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[width]"
        />
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Figure term="Rows" value={`${settled.toLocaleString()} of ${rowCount.toLocaleString()}`} />
          <Figure term="New leads" value={created.toLocaleString()} />
          <Figure term="Duplicates left out" value={skipped.toLocaleString()} />
          <Figure term="Not imported" value={failed.toLocaleString()} />
        </dl>
        {running ? <p className="text-table text-ink-soft">You can leave this page. The import continues.</p> : null}
        {leadImport.problem ? <Notice>{leadImport.problem}</Notice> : null}
        {stopping.isError ? <Notice>{problemDetail(stopping.error)}</Notice> : null}
        <div className="flex flex-wrap gap-2">
          {running ? (
            <Button tone="plain" busy={stopping.isPending} onClick={() => stopping.mutate()}>
              Stop
            </Button>
          ) : (
            <>
              <Button asChild>
                <Link to="/leads">Show leads</Link>
              </Button>
              <Button asChild tone="quiet">
                <Link to="/leads/import" search={{}}>
                  Other imports
                </Link>
              </Button>
            </>
          )}
        </div>
      </section>
      {!running && failed > 0 ? <RowErrors leadImport={leadImport} /> : null}
      {running ? null : <Duplicates leadImport={leadImport} />}
    </>
  );
}

function Figure({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-soft">{term}</dt>
      <dd className="text-sm font-medium tabular-nums">{value}</dd>
    </div>
  );
}
