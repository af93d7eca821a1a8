import { getOrganisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { LoadFailed } from "../../components/load-failed.tsx";
import { OrganisationForm } from "../../components/organisation-form.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { request } from "../../data/api-client.ts";
import { organisationsQuery } from "../../data/organisations-query.ts";
import { ProblemError } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Any of the user's organisations, active or not. */
export function EditOrganisationScreen() {
  const { organisationId } = useParams({ from: "/signed-in/settings/organisations/$organisationId" });
  const organisation = useQuery({
    queryKey: [...organisationsQuery.queryKey, organisationId],
    queryFn: ({ signal }) => request(getOrganisation, { params: { id: organisationId } }, { signal }),
  });
  // Treats an invalid id in the address like a missing organisation.
  const missing = organisation.error instanceof ProblemError && [404, 422].includes(organisation.error.status);
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title={organisation.data?.name ?? "Organisation"} />
      {organisation.data ? (
        <OrganisationForm key={organisationId} organisation={organisation.data} />
      ) : missing ? (
        <EmptyState
          title="Organisation not found"
          action={
            <Button asChild tone="plain">
              <Link to="/settings/organisations">Your organisations</Link>
            </Button>
          }
        >
          You may have left it, or the link may be wrong.
        </EmptyState>
      ) : organisation.isError ? (
        <LoadFailed what="The organisation" query={organisation} />
      ) : (
        <div role="status" aria-label="Loading the organisation" className="flex max-w-[440px] flex-col gap-6">
          {["w-full", "w-3/4", "w-full", "w-2/3"].map((width, index) => (
            <Skeleton key={`${width}-${index}`} className={`h-9 ${width}`} />
          ))}
        </div>
      )}
    </div>
  );
}
