import { OutcomeNameForm } from "./outcome-name-form.tsx";
import { useAddOutcome } from "./use-change-outcomes.ts";

export function AddOutcome() {
  const adding = useAddOutcome();
  return (
    <OutcomeNameForm
      label="New outcome"
      submit="Add"
      placeholder="Sent a quote"
      onSubmit={(name) => adding.mutateAsync(name)}
    />
  );
}
