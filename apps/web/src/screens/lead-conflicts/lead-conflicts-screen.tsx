import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ReadOnlyScreen } from "../../components/read-only-screen.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { leadConflictCountQuery, leadConflictsQuery } from "../../data/lead-conflicts-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ConflictCard } from "./conflict-card.tsx";
import { LatestMerges } from "./latest-merges.tsx";

export function LeadConflictsScreen() {
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title="Conflicts" />;
  return organisation.role === "analyst" ? <ReadOnlyScreen title="Conflicts" /> : <Conflicts />;
}

function Conflicts() {
  const list = useInfiniteQuery(leadConflictsQuery);
  const counted = useQuery(leadConflictCountQuery).data;
  const conflicts = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Conflicts" />
      <p className="text-sm text-pretty text-ink-soft">
        Leads from different CRMs, or from a CRM and entered here, that share a phone number or an email.
        {counted && counted.count > 0
          ? ` ${counted.count.toLocaleString()}${counted.more ? "+" : ""} ${counted.count === 1 ? "conflict" : "conflicts"} to sort out.`
          : ""}
      </p>
      {list.data ? (
        conflicts.length > 0 ? (
          <ul aria-label="Conflicts" className="flex flex-col gap-4">
            {conflicts.map((conflict) => (
              <ConflictCard key={`${conflict.kind} ${conflict.value}`} conflict={conflict} />
            ))}
          </ul>
        ) : (
          <EmptyState picture={<CircleCheck className="size-8" aria-hidden="true" />} title="No conflicts">
            Leads that share a number or an email across your CRMs are listed here.
          </EmptyState>
        )
      ) : list.isError ? (
        <LoadFailed what="The conflicts" query={list} />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-4">
          <output className="sr-only">Looking for conflicts</output>
          <Skeleton className="h-44 rounded-md" />
          <Skeleton className="h-44 rounded-md" />
        </div>
      )}
      {list.hasNextPage ? (
        <div className="flex flex-wrap items-center gap-3">
          <Button tone="plain" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more conflicts
          </Button>
          {list.isFetchNextPageError ? (
            <span role="alert" className="text-table text-fault">
              {problemDetail(list.error)}
            </span>
          ) : null}
        </div>
      ) : null}
      <LatestMerges />
    </div>
  );
}
