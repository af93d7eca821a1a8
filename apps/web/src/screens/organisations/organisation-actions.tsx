import type { Organisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { LogIn, LogOut, Pencil, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { LeaveDialog } from "../../components/leave-dialog.tsx";
import { SwitchRefusedDialog } from "../../components/switch-refused-dialog.tsx";
import { isAdmin } from "../../components/use-own-role.ts";
import { useSwitchOrganisation } from "../../components/use-switch-organisation.ts";
import { meQuery } from "../../data/me-query.ts";
import { MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { RowMenu } from "../../ui/row-menu.tsx";
import { DeleteOrganisationDialog } from "./delete-organisation-dialog.tsx";

export function OrganisationActions({ organisation }: { organisation: Organisation }) {
  const isActive = useQuery(meQuery).data?.activeOrganisation?.id === organisation.id;
  const switching = useSwitchOrganisation();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<"leave" | "delete" | null>(null);
  const close = () => setAsking(null);
  const toMembers = () => void navigate({ to: "/settings/members" });
  return (
    <>
      <RowMenu of={organisation.name} busy={switching.isPending}>
        <MenuItem disabled={isActive} onSelect={() => switching.mutate(organisation)}>
          <LogIn aria-hidden="true" />
          {isActive ? "Active now" : "Switch to it"}
        </MenuItem>
        <MenuItem
          onSelect={() =>
            void navigate({
              to: "/settings/organisations/$organisationId",
              params: { organisationId: organisation.id },
            })
          }
        >
          <Pencil aria-hidden="true" /> {isAdmin(organisation.role) ? "Edit" : "View"}
        </MenuItem>
        <MenuItem onSelect={() => (isActive ? toMembers() : switching.mutate(organisation, { onSuccess: toMembers }))}>
          <Users aria-hidden="true" /> Members
        </MenuItem>
        <MenuSeparator />
        <MenuItem className="text-fault" onSelect={() => setAsking("leave")}>
          <LogOut aria-hidden="true" /> Leave…
        </MenuItem>
        {organisation.role === "owner" ? (
          <MenuItem className="text-fault" onSelect={() => setAsking("delete")}>
            <Trash2 aria-hidden="true" /> Delete…
          </MenuItem>
        ) : null}
      </RowMenu>
      <SwitchRefusedDialog switching={switching} />
      {asking === "leave" ? (
        <LeaveDialog organisation={organisation} ownRole={organisation.role} onClose={close} />
      ) : null}
      {asking === "delete" ? <DeleteOrganisationDialog organisation={organisation} onClose={close} /> : null}
    </>
  );
}
