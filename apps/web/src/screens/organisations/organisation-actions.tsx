import type { Organisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, LogIn, LogOut, Pencil, Users } from "lucide-react";
import { useState } from "react";
import { LeaveDialog } from "../../components/leave-dialog.tsx";
import { SwitchRefusedDialog } from "../../components/switch-refused-dialog.tsx";
import { isAdmin } from "../../components/use-own-role.ts";
import { useSwitchOrganisation } from "../../components/use-switch-organisation.ts";
import { meQuery } from "../../data/me-query.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";

export function OrganisationActions({ organisation }: { organisation: Organisation }) {
  const isActive = useQuery(meQuery).data?.activeOrganisation?.id === organisation.id;
  const switching = useSwitchOrganisation();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const toMembers = () => void navigate({ to: "/settings/members" });
  return (
    <>
      <Menu
        trigger={
          <Button
            tone="quiet"
            size="small"
            className="px-2"
            aria-label={`Actions for ${organisation.name}`}
            busy={switching.isPending}
          >
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem disabled={isActive} onSelect={() => switching.mutate(organisation)}>
          <LogIn aria-hidden="true" />
          {isActive ? "You act inside it now" : "Switch to it"}
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
        <MenuItem className="text-fault" onSelect={() => setLeaving(true)}>
          <LogOut aria-hidden="true" /> Leave…
        </MenuItem>
      </Menu>
      <SwitchRefusedDialog switching={switching} />
      {leaving ? (
        <LeaveDialog organisation={organisation} ownRole={organisation.role} onClose={() => setLeaving(false)} />
      ) : null}
    </>
  );
}
