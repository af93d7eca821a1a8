import { hoursAsked } from "@leadline/contract/call-hours";
import { AlertDialog } from "radix-ui";
import { type FormEvent, useState } from "react";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { focusFirstInvalid } from "../../components/show-problem-in-form.ts";
import { type SavedState, useAskBeforeClosing, useReportedState } from "../../components/use-ask-before-closing.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { isFocusLost } from "../../ui/is-focus-lost.ts";
import { focusNext } from "../../ui/use-focus-return.ts";
import type { OutsideHours } from "../call/phone-state.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";

/** Asks for confirmation before a call outside the opening hours, and for a reason outside the callee’s calling hours. */
export function OutsideHoursDialog() {
  const phone = usePhone();
  const { asksOutsideHours } = usePhoneState();
  const [state, setState] = useState<SavedState>("saved");
  const leave = () => void phone.callOutsideHours("leave");
  const { onOpenChange, question } = useAskBeforeClosing(state, leave);
  return (
    <AlertDialog.Root
      open={asksOutsideHours !== null}
      onOpenChange={(open) => {
        if (!open) onOpenChange();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <AlertDialog.Content
          onCloseAutoFocus={(event) => {
            // The button that was pressed was replaced by the call, and is back as another.
            event.preventDefault();
            if (isFocusLost()) focusNext();
          }}
          className="fixed top-1/2 left-1/2 z-50 flex w-[min(400px,calc(100vw-32px))] -translate-1/2 animate-fade flex-col gap-2 rounded-md border border-line bg-panel p-6 shadow-lift"
        >
          {asksOutsideHours ? <Question asked={asksOutsideHours} onState={setState} onLeave={leave} /> : null}
          {question}
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

interface QuestionProps {
  asked: OutsideHours;
  onState: (state: SavedState) => void;
  onLeave: () => void;
}

function Question({ asked: { phoneNumber, why, needsReason }, onState, onLeave }: QuestionProps) {
  const phone = usePhone();
  const [typed, setTyped] = useState("");
  const [message, setMessage] = useState<string>();
  useReportedState(typed.trim() === "" ? "saved" : "unsaved", onState);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const reason = typed.trim() === "" && !needsReason ? undefined : typed;
    const { data, error } = hoursAsked.outsideHoursReason.safeParse(reason);
    setMessage(error?.issues[0]?.message);
    if (error) focusFirstInvalid(error, event);
    else void phone.callOutsideHours("call", data);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
      <AlertDialog.Title className="text-base font-semibold">
        {needsReason ? "Call outside calling hours?" : "Call outside opening hours?"}
      </AlertDialog.Title>
      <AlertDialog.Description className="text-sm text-pretty text-ink-soft">
        {why} You can still call <span className="whitespace-nowrap">{formatPhoneNumber(phoneNumber)}</span>.
      </AlertDialog.Description>
      <div className="pt-2">
        <Field label="Reason" optional={!needsReason} help="Shown in the call log." message={message}>
          {(control) => (
            <Input {...control} maxLength={200} value={typed} onChange={(event) => setTyped(event.target.value)} />
          )}
        </Field>
      </div>
      <div className="mt-4 flex justify-end gap-2">
        <AlertDialog.Cancel
          asChild
          onClick={(event) => {
            // It is the rep’s decision, and not a slip like Escape, which asks.
            event.preventDefault();
            onLeave();
          }}
        >
          <Button tone="quiet">Don’t call</Button>
        </AlertDialog.Cancel>
        <Button type="submit">Call anyway</Button>
      </div>
    </form>
  );
}
