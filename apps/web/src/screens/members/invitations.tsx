import type { Invitation } from "@leadline/contract/members";
import { useQuery } from "@tanstack/react-query";
import { MailPlus } from "lucide-react";
import { formatDate } from "../../components/format-time.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useRefusal } from "../../components/use-refusal.ts";
import { roleNames } from "../../components/use-own-role.ts";
import { invitationsQuery } from "../../data/members-query.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RowNote } from "../../ui/row-note.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { InvitationActions } from "./invitation-actions.tsx";

export function Invitations({ onInvite }: { onInvite: () => void }) {
  const invitations = useQuery(invitationsQuery);
  return (
    <div className="mt-3 flex flex-col gap-3">
      <h2 className="text-base font-semibold">Invitations</h2>
      {invitations.data ? (
        invitations.data.length > 0 ? (
          <InvitationsTable invitations={invitations.data} />
        ) : (
          <EmptyState
            picture={<MailPlus className="size-6" aria-hidden="true" />}
            title="No pending invitations"
            action={
              <Button tone="plain" onClick={onInvite}>
                Invite someone
              </Button>
            }
            className="py-8"
          >
            People you invite appear here until they join.
          </EmptyState>
        )
      ) : invitations.isError ? (
        <LoadFailed what="The invitations" query={invitations} />
      ) : (
        <div role="status" aria-label="Loading the invitations" className="rounded-md border border-line bg-panel p-4">
          <Skeleton className="w-64" />
        </div>
      )}
    </div>
  );
}

function InvitationsTable({ invitations }: { invitations: readonly Invitation[] }) {
  return (
    <Table label="Invitations">
      <TableHead>
        <TableRow>
          <TableHeadCell>Email</TableHeadCell>
          <TableHeadCell>Role</TableHeadCell>
          <TableHeadCell className="max-md:hidden">Sent</TableHeadCell>
          <TableHeadCell className="max-md:hidden">Expires</TableHeadCell>
          <TableHeadCell align="right">Actions</TableHeadCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </TableBody>
    </Table>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { refusal, refusalHandlers } = useRefusal();
  return (
    <>
      <TableRow className={refusal ? "border-b-0" : undefined}>
        <TableCell className="font-medium max-md:w-full max-md:max-w-0">
          <span className="block truncate md:max-w-[480px]" title={invitation.email}>
            {invitation.email}
          </span>
          {invitation.mailFailed === true ? (
            <span className="block text-sm font-normal text-fault">
              The email hasn’t been sent yet. Leadline keeps trying for a few hours.
            </span>
          ) : null}
        </TableCell>
        <TableCell className="text-ink-soft">{roleNames[invitation.role]}</TableCell>
        <TableCell className="whitespace-nowrap text-ink-soft tabular-nums max-md:hidden">
          {formatDate(invitation.createdAt)}
        </TableCell>
        <TableCell className="whitespace-nowrap text-ink-soft tabular-nums max-md:hidden">
          {formatDate(invitation.expiresAt)}
        </TableCell>
        <TableCell align="right">
          <InvitationActions invitation={invitation} refusalHandlers={refusalHandlers} />
        </TableCell>
      </TableRow>
      {refusal ? <RowNote columns={5}>{refusal}</RowNote> : null}
    </>
  );
}
