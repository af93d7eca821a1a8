import { zodResolver } from "@hookform/resolvers/zod";
import type { CarrierConnection } from "@leadline/contract/carriers";
import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { PhoneCall, PhoneOff } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { focusFirstInvalid } from "../../components/show-problem-in-form.ts";
import { savedStateOf, useAskBeforeClosing } from "../../components/use-ask-before-closing.tsx";
import { isActive } from "../../phone/call/call-phase.ts";
import { usePhone, usePhoneState } from "../../phone/phone-context.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

const toDial = (typed: string): string => typed.replaceAll(/[\s()./-]/g, "");
const TestCall = z.object({
  number: z
    .string()
    .transform(toDial)
    .pipe(z.string().regex(/^\+?\d{4,20}$/, "Enter a phone number.")),
});

/** A real call from this browser through this carrier, whether in use or not. */
export function TestCallDialog({ carrier, onClose }: { carrier: CarrierConnection; onClose: () => void }) {
  const phone = usePhone();
  const { phase, call } = usePhoneState();
  const form = useForm({ shouldFocusError: false, resolver: zodResolver(TestCall), defaultValues: { number: "" } });
  const { onOpenChange, question } = useAskBeforeClosing(savedStateOf(form.formState), onClose);
  const [began, setBegan] = useState(false);
  const active = isActive(phase);
  const place = form.handleSubmit(({ number }) => {
    setBegan(true);
    // Used now, and no longer lost with the dialog.
    form.reset(form.getValues());
    void phone.start(number, undefined, { outsideHours: true, carrierId: carrier.id });
  }, focusFirstInvalid);
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={`Test call through ${carrier.label}`}
      footer={
        <>
          <Button tone="quiet" onClick={() => onOpenChange()}>
            Close
          </Button>
          {active ? (
            <Button tone="plain" onClick={() => void phone.hangUp()} disabled={!call}>
              <PhoneOff aria-hidden="true" /> Hang up
            </Button>
          ) : (
            <Button form="test-call" type="submit">
              <PhoneCall aria-hidden="true" /> Call
            </Button>
          )}
        </>
      }
    >
      <form id="test-call" noValidate onSubmit={(event) => void place(event)} className="flex flex-col gap-4">
        <Field
          label="Number to call"
          message={form.formState.errors.number?.message}
          help="A phone you can answer, with + and country code. The call is charged at your normal rate."
        >
          {(control) => (
            <Input {...control} type="tel" autoComplete="off" {...form.register("number")} disabled={active} />
          )}
        </Field>
        {began ? (
          <Outcome call={call} active={active} />
        ) : active ? (
          <Notice tone="brass">You’re in a call. Hang up first.</Notice>
        ) : null}
      </form>
      {question}
    </Dialog>
  );
}

function Outcome({ call, active }: { call: Call | null; active: boolean }) {
  return (
    <p role="status" className="rounded-md border border-line bg-sunk px-4 py-3 text-sm text-pretty">
      {outcomeOf(call, active)}
    </p>
  );
}

function outcomeOf(call: Call | null, active: boolean): string {
  if (!call) return active ? "Calling…" : "The call wasn’t placed.";
  if (call.status === "in-progress") return "Answered. Speak, and check that you can hear each other.";
  if (call.status === "ringing") return "Ringing.";
  if (call.waitsFor !== null) return `Waiting for a free line at ${call.waitsFor}…`;
  if (isLive(call.status)) return "Calling…";
  const status = call.cause?.sip ? ` Your carrier’s status: ${call.cause.sip}.` : "";
  const words =
    call.status === "completed" ? "The call was answered and has ended. Outbound calls work." : callEndedSentence(call);
  return `${words}${status === " Your carrier’s status: 200." ? "" : status} The SIP trace shows the messages.`;
}
