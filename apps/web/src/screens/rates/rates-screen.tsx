import { exportRates, importRates, largestRatesBytes, listRates, type Rate } from "@leadline/contract/rates";
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { CircleDollarSign, Download, Plus, Search, SearchX } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { FileDrop } from "../../components/file-drop.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { LoadMore } from "../../components/load-more.tsx";
import { may } from "../../components/may.ts";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request, requestFile } from "../../data/api-client.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { ratesKey, ratesQuery } from "../../data/rates-query.ts";
import { saveFile } from "../../data/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { MarginForm } from "./margin-form.tsx";
import { RateDialog } from "./rate-dialog.tsx";
import { RatesSkeleton, RatesTable } from "./rates-table.tsx";

export function RatesScreen() {
  const { carrierId } = useParams({ from: "/signed-in/settings/carriers/$carrierId/rates" });
  const organisation = useQuery(meQuery).data?.activeOrganisation;
  if (organisation === undefined) return null;
  if (organisation === null) return <NoOrganisation title="Rates" />;
  if (may(organisation.role, listRates)) return <Rates key={carrierId} carrierId={carrierId} />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Rates" />
      <Notice tone="brass">Only an owner or admin of {organisation.name} can see its rates.</Notice>
    </div>
  );
}

function Rates({ carrierId }: { carrierId: string }) {
  const label = useQuery(carriersQuery).data?.find(({ id }) => id === carrierId)?.label;
  const [typed, setTyped] = useState("");
  const { value: search } = useDebounced(typed.trim());
  const list = useInfiniteQuery(ratesQuery(carrierId, search));
  const [edited, edit] = useState<Rate | "new" | null>(null);
  const exporting = useMutation({
    mutationFn: () => requestFile(exportRates, { params: { id: carrierId } }),
    onSuccess: (content) => saveFile(content, "rates.csv"),
  });
  const first = list.data?.pages[0];
  const rates = list.data?.pages.flatMap((page) => page.rates) ?? [];
  const addButton = (
    <Button onClick={() => edit("new")}>
      <Plus aria-hidden="true" /> Add a rate
    </Button>
  );
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title={label === undefined ? "Rates" : `Rates of ${label}`}
        lead="What outbound calls cost, by the first digits of the number. The longest match applies. A call keeps the rate it began with."
        action={first ? addButton : null}
      />
      {exporting.isError ? <Notice>{problemDetail(exporting.error)}</Notice> : null}
      {first?.readsFromCarrier ? (
        <Notice tone="brass">
          Rates are read from your carrier’s account as numbers are dialled. A rate you add or import here replaces them
          for its prefix.
        </Notice>
      ) : null}
      {first ? (
        <>
          <MarginForm key={first.marginPercent} carrierId={carrierId} marginPercent={first.marginPercent} />
          <ImportRates carrierId={carrierId} />
          {first.total > 0 ? (
            <div className="flex flex-wrap items-center justify-between gap-2">
              <search className="relative max-md:w-full md:w-[340px]">
                <Search
                  className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
                  aria-hidden="true"
                />
                <Input
                  type="search"
                  aria-label="Find by prefix or destination"
                  placeholder="Find by prefix or destination"
                  maxLength={100}
                  className="pl-9"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              </search>
              <Button
                tone="plain"
                className="max-md:h-11"
                busy={exporting.isPending}
                onClick={() => exporting.mutate()}
              >
                <Download aria-hidden="true" /> Download CSV
              </Button>
            </div>
          ) : null}
        </>
      ) : null}
      {!first ? (
        list.isError ? (
          <LoadFailed what="The rates" query={list} />
        ) : (
          <RatesSkeleton />
        )
      ) : rates.length > 0 ? (
        <RatesTable rates={rates} stale={list.isPlaceholderData} onEdit={edit} />
      ) : first.total > 0 ? (
        <EmptyState
          picture={<SearchX className="size-8" aria-hidden="true" />}
          title={`No rates match “${search}”`}
          action={
            <Button tone="plain" onClick={() => setTyped("")}>
              Show all
            </Button>
          }
        />
      ) : (
        <EmptyState picture={<CircleDollarSign className="size-8" aria-hidden="true" />} title="No rates yet">
          {first.readsFromCarrier
            ? "They appear here as your team dials."
            : "Add a rate or upload your carrier’s price list. Until then, what calls through this carrier cost is unknown."}
        </EmptyState>
      )}
      <LoadMore list={list} />
      {edited === null ? null : (
        <RateDialog carrierId={carrierId} rate={edited === "new" ? null : edited} onClose={() => edit(null)} />
      )}
    </div>
  );
}

function ImportRates({ carrierId }: { carrierId: string }) {
  const { confirmed, dialog } = usePasswordConfirmation();
  const importing = useMutation({
    mutationFn: (file: File) =>
      confirmed((currentPassword) => request(importRates, { body: { carrierId, currentPassword }, files: [file] })),
    async onSuccess({ imported }) {
      await queryClient.invalidateQueries({ queryKey: ratesKey });
      toast.success(imported === 1 ? "1 rate imported." : `${imported.toLocaleString("en")} rates imported.`);
    },
  });
  return (
    <div className="flex flex-col gap-2">
      <FileDrop
        label="Import a CSV"
        help={`Columns: Prefix, Price per minute (USD), and if you like Destination, Connection fee (USD), Increment (60/60), Effective from. Up to ${largestRatesBytes / 2 ** 20} MB.`}
        accept=".csv,text/csv"
        busy={importing.isPending}
        onFiles={([file]) => file && importing.mutate(file)}
      />
      {importing.isError ? <Notice>{problemDetail(importing.error)}</Notice> : null}
      {dialog}
    </div>
  );
}
