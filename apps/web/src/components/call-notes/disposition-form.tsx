import type { CallDispositionInput } from "@leadline/contract/call-disposition";
import type { Call } from "@leadline/contract/calls";
import type { FollowUpFields } from "@leadline/contract/follow-up-fields";
import { useMutation, useQuery } from "@tanstack/react-query";
import { callOutcomesQuery } from "../../data/call-outcomes-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { FollowUpDetails } from "./follow-up-details.tsx";
import { FollowUpField } from "./follow-up-field.tsx";
import { NoteField } from "./note-field.tsx";
import { saveDisposition } from "../../data/save-disposition.ts";

const none = "none";

/** The day is suggested by the outcome and can be changed. */
const callBackHelp = (day: string | null): string =>
  day === null
    ? "Choose a day, or there will be no reminder."
    : "It’s on your callback list. You can choose another day.";

/** A call's disposition, saved as it is entered. Use the callSid as its key. */
export function DispositionForm({ call, isShownCall = false }: { call: Call; isShownCall?: boolean }) {
  const { callSid } = call;
  const outcomes = useQuery(callOutcomesQuery);
  const mutationFn = (disposition: CallDispositionInput) => saveDisposition(callSid, disposition);
  const savingOutcome = useMutation({ mutationFn });
  const savingFollowUp = useMutation({
    mutationFn: ({ followUpOwner, ...change }: Partial<FollowUpFields>) =>
      mutationFn({ ...change, ...(followUpOwner !== undefined && { followUpOwnerId: followUpOwner?.userId ?? null }) }),
  });
  // Shows the choice at once, and the saved value again if the server refuses.
  const outcomeId = savingOutcome.isPending ? savingOutcome.variables.outcomeId : call.outcome?.id;
  const followUp = { ...call, ...(savingFollowUp.isPending && savingFollowUp.variables) };
  const { followUpOn } = followUp;
  const chosen = outcomes.data?.find(({ id }) => id === outcomeId);
  const offered = (outcomes.data ?? []).filter(({ id, archived }) => !archived && id !== call.outcome?.id);
  const options = [...(call.outcome ? [call.outcome] : []), ...offered];
  const inOrder = (outcomes.data ?? []).flatMap(({ id }) => options.filter((option) => option.id === id));
  return (
    <div className="flex flex-col gap-4">
      <NoteField call={call} isShownCall={isShownCall} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Outcome"
          message={savingOutcome.error ? `Not saved. ${problemDetail(savingOutcome.error)}` : undefined}
        >
          {(control) => (
            <Select
              {...control}
              placeholder={outcomes.isError ? "Outcomes couldn’t be loaded" : "Choose an outcome"}
              disabled={outcomes.data === undefined}
              value={outcomeId ?? ""}
              onValueChange={(value) => savingOutcome.mutate({ outcomeId: value === none ? null : value })}
              options={[
                ...(outcomeId ? [{ value: none, label: "No outcome" }] : []),
                ...(inOrder.length > 0 ? inOrder : options).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
        </Field>
        <FollowUpField
          day={followUpOn}
          problem={savingFollowUp.error ? `Not saved. ${problemDetail(savingFollowUp.error)}` : null}
          help={chosen?.callBack && !savingOutcome.isPending ? callBackHelp(followUpOn) : undefined}
          onChoose={(day) => savingFollowUp.mutate({ followUpOn: day })}
        />
        {followUpOn === null ? null : <FollowUpDetails followUp={followUp} onChange={savingFollowUp.mutate} />}
      </div>
    </div>
  );
}
