import { deleteLeadNote, type LeadNote as Note } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { formatFullTime, formatWhen } from "../../components/format-time.ts";
import { useNow } from "../../components/use-now.ts";
import { isAdmin, useOwnRole } from "../../components/use-own-role.ts";
import { request } from "../../data/api-client.ts";
import { leadNotesQuery } from "../../data/leads-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { ProblemError } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { IconButton } from "../../ui/icon-button.tsx";

export function LeadNote({ note, leadId }: { note: Note; leadId: string }) {
  const me = useQuery(meQuery).data;
  const ownRole = useOwnRole();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const mayDelete = ownRole !== "analyst" && (me?.id === note.userId || isAdmin(ownRole));
  async function deleteNote(): Promise<void> {
    try {
      await request(deleteLeadNote, { params: { id: note.id } });
    } catch (error) {
      // A colleague has already deleted it, so there is nothing left to do.
      if (!(error instanceof ProblemError && error.code === "not-found")) throw error;
    }
  }
  const written = formatWhen(note.createdAt, now);
  return (
    <li className="flex items-start gap-2 rounded-md border border-line bg-panel py-3 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <p className="text-sm break-words whitespace-pre-wrap">{note.text}</p>
        <p className="mt-1.5 text-xs text-ink-soft">
          {note.userName},{" "}
          <time dateTime={note.createdAt} title={formatFullTime(note.createdAt)}>
            {written}
          </time>
        </p>
      </div>
      {mayDelete ? (
        <IconButton
          label={`Delete the note by ${note.userName}, ${written}`}
          size="small"
          className="-my-1"
          onClick={() => setAsking(true)}
        >
          <Trash2 />
        </IconButton>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title="Delete this note?"
          action="Delete note"
          cancel="Keep"
          run={deleteNote}
          onDone={() => {
            const { queryKey } = leadNotesQuery(leadId);
            queryClient.setQueryData(queryKey, (before) => before?.filter(({ id }) => id !== note.id));
          }}
          onClose={() => setAsking(false)}
        >
          This deletes it for everyone and can’t be undone.
        </ConfirmDialog>
      ) : null}
    </li>
  );
}
