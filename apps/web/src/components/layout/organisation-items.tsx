import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { meQuery } from "../../data/me-query.ts";
import { organisationsQuery } from "../../data/organisations-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Menu, MenuChoice, MenuChoices, MenuItem, MenuLabel, type MenuProps, MenuSeparator } from "../../ui/menu.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SwitchRefusedDialog } from "../switch-refused-dialog.tsx";
import { useSwitchOrganisation } from "../use-switch-organisation.ts";
import { OrganisationButton } from "./organisation-button.tsx";

export function OrganisationItems({ startsOpen = false }: Pick<MenuProps, "startsOpen">) {
  const active = useQuery(meQuery).data?.activeOrganisation ?? null;
  const organisations = useQuery(organisationsQuery);
  const switching = useSwitchOrganisation();
  return (
    <>
      <Menu className="w-64" startsOpen={startsOpen} trigger={<OrganisationButton busy={switching.isPending} />}>
        <MenuLabel>Switch organisation</MenuLabel>
        {organisations.data ? (
          <MenuChoices
            value={active?.id ?? ""}
            onValueChange={(id) => {
              const chosen = organisations.data.find((organisation) => organisation.id === id);
              if (chosen && chosen.id !== active?.id) switching.mutate(chosen);
            }}
          >
            {organisations.data.map((organisation) => (
              <MenuChoice key={organisation.id} value={organisation.id}>
                <span className="truncate">{organisation.name}</span>
              </MenuChoice>
            ))}
            {organisations.data.length === 0 ? (
              <p className="px-2 pb-1.5 text-table text-ink-soft">You don’t belong to one yet.</p>
            ) : null}
          </MenuChoices>
        ) : organisations.isError ? (
          <MenuItem onSelect={() => void organisations.refetch()}>
            <span className="text-table text-fault">{problemDetail(organisations.error)}</span>
          </MenuItem>
        ) : (
          <div className="flex flex-col gap-3 px-2 py-2">
            <Skeleton className="w-40" />
            <Skeleton className="w-28" />
          </div>
        )}
        <MenuSeparator />
        <MenuItem asChild>
          <Link to="/settings/organisations/new">
            <Plus aria-hidden="true" /> New organisation
          </Link>
        </MenuItem>
      </Menu>
      <SwitchRefusedDialog switching={switching} />
    </>
  );
}
