import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Building2, Plus } from "lucide-react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { organisationsQuery } from "../../data/organisations-query.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { OrganisationsSkeleton, OrganisationsTable } from "./organisations-table.tsx";

export function OrganisationsScreen() {
  const organisations = useQuery(organisationsQuery);
  const newButton = (
    <Button asChild>
      <Link to="/settings/organisations/new">
        <Plus aria-hidden="true" /> New organisation
      </Link>
    </Button>
  );
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Organisations"
        lead="Each has its own leads, calls and balance. You work in one at a time."
        action={organisations.data?.length === 0 ? null : newButton}
      />
      {organisations.data ? (
        organisations.data.length > 0 ? (
          <OrganisationsTable organisations={organisations.data} />
        ) : (
          <EmptyState
            picture={<Building2 className="size-8" aria-hidden="true" />}
            title="You’re not in an organisation yet"
            action={newButton}
          >
            Create one for your team or company. You can make calls right away.
          </EmptyState>
        )
      ) : organisations.isError ? (
        <LoadFailed what="Your organisations" query={organisations} />
      ) : (
        <OrganisationsSkeleton />
      )}
    </div>
  );
}
