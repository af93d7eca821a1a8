import { zodResolver } from "@hookform/resolvers/zod";
import { addLeadNote, LeadNoteInput } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { leadNotesQuery } from "../../data/leads-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { TextArea } from "../../ui/input.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LeadNote } from "./lead-note.tsx";

export function LeadNotes({ leadId }: { leadId: string }) {
  const notes = useQuery(leadNotesQuery(leadId));
  const readsOnly = useReadsOnly();
  return (
    <div className="flex flex-col gap-5">
      {readsOnly ? null : <NoteForm leadId={leadId} />}
      {notes.data ? (
        notes.data.length > 0 ? (
          <ol aria-label="Notes" className="flex flex-col gap-3">
            {notes.data.map((note) => (
              <LeadNote key={note.id} note={note} leadId={leadId} />
            ))}
          </ol>
        ) : (
          <p className="text-sm text-ink-soft">
            No notes yet.{readsOnly ? "" : " Your colleagues can read notes you add here."} Call notes are under Calls.
          </p>
        )
      ) : notes.isError ? (
        <LoadFailed what="The notes" query={notes} />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-3">
          <Skeleton className="h-16 rounded-md" />
          <Skeleton className="h-16 rounded-md" />
        </div>
      )}
    </div>
  );
}

function NoteForm({ leadId }: { leadId: string }) {
  const form = useForm({ shouldFocusError: false, resolver: zodResolver(LeadNoteInput), defaultValues: { text: "" } });
  const { errors, isSubmitting, isDirty } = form.formState;
  const submit = form.handleSubmit(async ({ text }, event) => {
    try {
      const note = await request(addLeadNote, { params: { id: leadId }, body: { text } });
      queryClient.setQueryData(leadNotesQuery(leadId).queryKey, (before) => [note, ...(before ?? [])]);
      form.reset();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["text"] });
    }
  }, focusFirstInvalid);
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col items-start gap-2">
      <AskBeforeLeaving unsaved={isDirty || isSubmitting} />
      <div className="w-full">
        <Field label="New note" message={errors.text?.message ?? errors.root?.server?.message}>
          {(control) => (
            <TextArea
              rows={3}
              placeholder="What was said, what’s next"
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
              }}
              {...control}
              {...form.register("text")}
            />
          )}
        </Field>
      </div>
      <Button type="submit" size="small" busy={isSubmitting}>
        Add note
      </Button>
    </form>
  );
}
