import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { organisationsQuery } from "../data/organisations-query.ts";
import { Button } from "../ui/button.tsx";
import { SwitchRefusedDialog } from "./switch-refused-dialog.tsx";
import { useSwitchOrganisation } from "./use-switch-organisation.ts";

/** For a user without an active organisation: their organisations, or a new one. */
export function OrganisationChoices({ onLeave }: { onLeave?: () => void }) {
  const organisations = useQuery(organisationsQuery).data ?? [];
  const switching = useSwitchOrganisation();
  return (
    <>
      {organisations.map((organisation, index) => (
        <Button
          key={organisation.id}
          tone={index === 0 ? "primary" : "plain"}
          busy={switching.isPending && switching.variables.id === organisation.id}
          onClick={() => switching.mutate(organisation, { ...(onLeave && { onSuccess: onLeave }) })}
        >
          <span className="truncate">Go to {organisation.name}</span>
        </Button>
      ))}
      <Button asChild tone={organisations.length === 0 ? "primary" : "plain"}>
        <Link to="/settings/organisations/new" {...(onLeave && { onClick: onLeave })}>
          Create organisation
        </Link>
      </Button>
      {switching.isError ? <SwitchRefusedDialog switching={switching} /> : null}
    </>
  );
}
