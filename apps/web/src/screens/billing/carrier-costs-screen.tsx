import {
  type DifferenceKind,
  differenceKinds,
  exportCostDifferences,
  listCostDifferences,
  readCarrierRecords,
} from "@leadline/contract/carrier-costs";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, Download, RadioTower, RefreshCw } from "lucide-react";
import { useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { may } from "../../components/may.ts";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { request, requestFile } from "../../data/api-client.ts";
import { billingKey } from "../../data/billing-query.ts";
import { costDifferencesQuery } from "../../data/carrier-costs-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { saveFile } from "../../data/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CostTotals, RecordSources } from "./carrier-cost-totals.tsx";
import { differenceNames, DifferencesTable } from "./differences-table.tsx";
import { lastMonths, monthName } from "./months.ts";

const everyKind = "all";

/** Differences between a carrier's records and the calls here. */
export function CarrierCostsScreen() {
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title="Carrier costs" />;
  if (may(organisation.role, listCostDifferences)) return <CarrierCosts key={organisation.id} />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Carrier costs" />
      <Notice tone="brass">Only an owner or admin of {organisation.name} can see what its carriers bill.</Notice>
    </div>
  );
}

function CarrierCosts() {
  const [month, setMonth] = useState<string>();
  const [kind, setKind] = useState<DifferenceKind>();
  const list = useInfiniteQuery(costDifferencesQuery({ month, kind }));
  const first = list.data?.pages[0];
  const [newest, setNewest] = useState<string>();
  if (newest === undefined && first) setNewest(first.month);
  const reading = useMutation({
    mutationFn: () => request(readCarrierRecords, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: billingKey }),
  });
  const exporting = useMutation({
    mutationFn: () => requestFile(exportCostDifferences, { query: { ...(month && { month }), ...(kind && { kind }) } }),
    onSuccess: (content) => saveFile(content, `carrier-costs-${first?.month ?? ""}.csv`),
  });
  const hasSources = first !== undefined && first.sources.length > 0;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Carrier costs"
        lead="What your carriers bill for calls, compared with what Leadline counted."
        action={
          hasSources ? (
            <Button tone="plain" className="max-md:h-11" busy={reading.isPending} onClick={() => reading.mutate()}>
              <RefreshCw aria-hidden="true" /> Read records now
            </Button>
          ) : null
        }
      />
      {reading.isError ? <Notice>{problemDetail(reading.error)}</Notice> : null}
      {exporting.isError ? <Notice>{problemDetail(exporting.error)}</Notice> : null}
      {first ? (
        <>
          <RecordSources sources={first.sources} />
          <CostTotals totals={first.totals} />
          <div className="flex flex-wrap gap-2">
            <Select
              aria-label="Month"
              className="w-44"
              options={lastMonths(newest ?? first.month, 12).map((value) => ({ value, label: monthName(value) }))}
              value={month ?? first.month}
              onValueChange={setMonth}
            />
            <Select
              aria-label="What differs"
              className="w-44"
              options={[
                { value: everyKind, label: "All differences" },
                ...differenceKinds.map((value) => ({ value, label: differenceNames[value] })),
              ]}
              value={kind ?? everyKind}
              onValueChange={(value) => setKind(differenceKinds.find((one) => one === value))}
            />
            <Button tone="plain" className="max-md:h-11" busy={exporting.isPending} onClick={() => exporting.mutate()}>
              <Download aria-hidden="true" /> Download CSV
            </Button>
          </div>
          {first.differences.length > 0 ? (
            <DifferencesTable differences={list.data?.pages.flatMap((page) => page.differences) ?? []} />
          ) : (
            <Empty hasSources={hasSources} month={first.month} kind={kind} />
          )}
        </>
      ) : list.isError ? (
        <LoadFailed what="The carrier costs" query={list} />
      ) : (
        <div role="status" aria-label="Loading the carrier costs" className="flex flex-col gap-5">
          <Skeleton className="h-24 w-full rounded-md" />
          <Skeleton className="h-48 w-full rounded-md" />
        </div>
      )}
      {first && list.isFetchNextPageError ? <Notice>{problemDetail(list.error)}</Notice> : null}
      {list.hasNextPage ? (
        <Button
          tone="plain"
          className="self-start max-md:h-11"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show older differences
        </Button>
      ) : null}
    </div>
  );
}

interface EmptyProps {
  hasSources: boolean;
  month: string;
  kind: DifferenceKind | undefined;
}

function Empty({ hasSources, month, kind }: EmptyProps) {
  if (hasSources)
    return (
      <EmptyState
        picture={<CircleCheck className="size-8" aria-hidden="true" />}
        title={kind === undefined ? `No differences in ${monthName(month)}` : `None in ${monthName(month)}`}
      >
        Calls appear here if the carrier’s cost isn’t what was counted, or if a record is missing an hour after the
        call.
      </EmptyState>
    );
  return (
    <EmptyState
      picture={<RadioTower className="size-8" aria-hidden="true" />}
      title="No carrier’s records are read yet"
      action={
        <Button asChild>
          <Link to="/settings/carriers">Carriers</Link>
        </Button>
      }
    >
      Connect a carrier by its API key to compare what it bills with what Leadline counted.
    </EmptyState>
  );
}
