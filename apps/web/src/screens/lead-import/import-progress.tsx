import { deleteLeadImport, exportLeadImportErrors, type LeadImport } from "@leadline/contract/lead-imports";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleCheck, Download } from "lucide-react";
import { useEffect } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { request, requestFile } from "../../data/api-client.ts";
import { leadImportErrorsQuery } from "../../data/lead-import-query.ts";
import { leadsKey } from "../../data/leads-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { saveFile } from "../../data/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";

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
          {state === "completed" ? `${leadImport.fileName} is imported` : null}
          {state === "failed" ? `${leadImport.fileName} stopped half-way` : null}
        </p>
        <progress
          aria-label="Rows settled"
          value={settled}
          max={rowCount}
          className="h-2 w-full overflow-hidden rounded-full bg-ink/10 [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[width]"
        />
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Figure term="Rows" value={`${settled.toLocaleString()} of ${rowCount.toLocaleString()}`} />
          <Figure term="New leads" value={created.toLocaleString()} />
          <Figure term="In your leads already or repeated in the file" value={skipped.toLocaleString()} />
          <Figure term="Not imported" value={failed.toLocaleString()} />
        </dl>
        {running ? (
          <p className="text-table text-ink-soft">
            You may leave this page, and even restart the server: the import goes on.
          </p>
        ) : null}
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

function RowErrors({ leadImport: { id, fileName, failed } }: { leadImport: LeadImport }) {
  const errors = useQuery(leadImportErrorsQuery(id));
  const exporting = useMutation({
    mutationFn: () => requestFile(exportLeadImportErrors, { params: { id } }),
    onSuccess: (content) => saveFile(content, `not imported of ${fileName}.csv`),
  });
  if (errors.isError)
    return (
      <LoadFailed
        what="The rows that were not imported"
        error={errors.error}
        retrying={errors.isFetching}
        onRetry={() => void errors.refetch()}
      />
    );
  if (!errors.data) return null;
  return (
    <div className="flex max-w-[840px] flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-sm font-semibold">
          {failed > errors.data.length
            ? `The first ${errors.data.length.toLocaleString()} of ${failed.toLocaleString()} rows that were not imported`
            : "Rows that were not imported"}
        </h2>
        <Button tone="plain" size="small" busy={exporting.isPending} onClick={() => exporting.mutate()}>
          <Download aria-hidden="true" /> Download {failed === 1 ? "it" : "all"} as CSV
        </Button>
      </div>
      {exporting.isError ? <Notice title="Nothing was downloaded">{problemDetail(exporting.error)}</Notice> : null}
      <Table label="Rows that were not imported" scrollClassName="max-h-96">
        <TableHead>
          <TableRow>
            <TableHeadCell align="right" className="w-20">
              Row
            </TableHeadCell>
            <TableHeadCell>Why</TableHeadCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {errors.data.map(({ row, message }) => (
            <TableRow key={row}>
              <TableCell align="right">{row.toLocaleString()}</TableCell>
              <TableCell>{message}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}
