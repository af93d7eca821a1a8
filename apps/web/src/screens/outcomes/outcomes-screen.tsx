import { createCallOutcome } from "@leadline/contract/call-outcomes";
import { useQuery } from "@tanstack/react-query";
import { may } from "../../components/may.ts";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { callOutcomesQuery } from "../../data/call-outcomes-query.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AddOutcome } from "./add-outcome.tsx";
import { ArchivedOutcomes } from "./archived-outcomes.tsx";
import { OfferedOutcomes } from "./offered-outcomes.tsx";

export function OutcomesScreen() {
  const organisation = usePageOrganisation();
  const outcomes = useQuery({ ...callOutcomesQuery, enabled: organisation !== null });
  const mayEdit = may(organisation?.role ?? null, createCallOutcome);
  if (organisation === null) return <NoOrganisation title="Outcomes" />;
  return (
    <div className="flex max-w-[560px] flex-col gap-6">
      <PageHeader title="Outcomes" lead="The results you can choose for a call, in this order." />
      {outcomes.data ? (
        <>
          {mayEdit ? null : <Notice tone="brass">Only an admin can edit this list.</Notice>}
          <OfferedOutcomes outcomes={outcomes.data.filter(({ archived }) => !archived)} mayEdit={mayEdit} />
          {mayEdit ? <AddOutcome /> : null}
          <ArchivedOutcomes outcomes={outcomes.data.filter(({ archived }) => archived)} mayEdit={mayEdit} />
        </>
      ) : outcomes.isError ? (
        <LoadFailed what="The outcomes" query={outcomes} />
      ) : (
        <div aria-busy="true" className="rounded-md border border-line bg-panel">
          <output className="sr-only">Loading the outcomes</output>
          {["w-24", "w-20", "w-32", "w-28"].map((width) => (
            <div key={width} className="flex h-12 items-center border-b border-line px-4 last:border-b-0">
              <Skeleton className={width} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
