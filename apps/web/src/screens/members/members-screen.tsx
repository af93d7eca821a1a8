import { inviteMember } from "@leadline/contract/members";
import type { Organisation } from "@leadline/contract/organisations";
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { may } from "../../components/may.ts";
import { membersQuery } from "../../data/members-query.ts";
import { Button } from "../../ui/button.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { Invitations } from "./invitations.tsx";
import { MembersSkeleton, MembersTable } from "./members-table.tsx";

export function MembersScreen() {
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title="Members" />;
  return <Members organisation={organisation} mayInvite={may(organisation.role, inviteMember)} />;
}

function Members({ organisation, mayInvite }: { organisation: Organisation; mayInvite: boolean }) {
  const members = useQuery(membersQuery);
  const [inviting, setInviting] = useState(false);
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Members"
        lead={`People who can make calls and see leads in ${organisation.name}.`}
        action={
          mayInvite ? (
            <Button onClick={() => setInviting(true)}>
              <UserPlus aria-hidden="true" /> Invite
            </Button>
          ) : null
        }
      />
      {members.data ? (
        <MembersTable members={members.data} organisation={organisation} />
      ) : members.isError ? (
        <LoadFailed what="The members" query={members} />
      ) : (
        <MembersSkeleton />
      )}
      {mayInvite ? <Invitations onInvite={() => setInviting(true)} /> : null}
      {inviting ? <InviteDialog organisationName={organisation.name} onClose={() => setInviting(false)} /> : null}
    </div>
  );
}
