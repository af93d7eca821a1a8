import { zodResolver } from "@hookform/resolvers/zod";
import { callToVerify, type CarrierConnection, verifyCallerId, VerifyCallerIdInput } from "@leadline/contract/carriers";
import { useMutation } from "@tanstack/react-query";
import { PhoneCall } from "lucide-react";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { useAskBeforeClosing } from "../../components/use-ask-before-closing.tsx";
import { request } from "../../data/api-client.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

const loss = {
  title: "Stop verifying?",
  description: "You’ll need another call for a new code, and it’s charged too.",
};

interface VerifyCallerIdDialogProps {
  carrier: Pick<CarrierConnection, "id" | "label">;
  callerId: NonNullable<CarrierConnection["callerId"]>;
  onClose: () => void;
}

/** Calls the number and asks for the code that the callee hears, once for each of the carrier’s servers. */
export function VerifyCallerIdDialog({ carrier, callerId, onClose }: VerifyCallerIdDialogProps) {
  const { unverifiedAt } = callerId;
  const number = formatPhoneNumber(callerId.number);
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(VerifyCallerIdInput),
    defaultValues: { code: "" },
  });
  const { errors, isSubmitting } = form.formState;
  const params = { id: carrier.id };
  const calling = useMutation({ mutationFn: () => request(callToVerify, { params }) });
  const isExpected = calling.isPending || calling.isSuccess;
  const state = isSubmitting ? "saving" : isExpected ? "unsaved" : "saved";
  const { onOpenChange, question } = useAskBeforeClosing(state, onClose, loss);
  const { isSuccess: wasRead } = calling;
  useEffect(() => {
    if (wasRead) form.setFocus("code");
  }, [wasRead, form]);
  const call = () => {
    form.reset();
    calling.mutate();
  };
  const submit = form.handleSubmit(async (body, event) => {
    try {
      const saved = await request(verifyCallerId, { params, body });
      await queryClient.invalidateQueries({ queryKey: carriersQuery.queryKey });
      const left = saved.callerId?.unverifiedAt ?? [];
      toast.success(left.length === 0 ? `${number} is verified.` : `${number} is verified. Next: ${left.join(", ")}.`);
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["code"], codes: { "caller-id-not-verified": "code" } });
    }
  }, focusFirstInvalid);
  const failed = calling.error ? problemDetail(calling.error) : errors.root?.server?.message;
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={`Verify ${number}`}
      footer={
        <>
          <Button tone="quiet" disabled={isSubmitting} onClick={() => onOpenChange()}>
            Close
          </Button>
          {calling.isSuccess ? (
            <>
              <Button tone="plain" disabled={isSubmitting} onClick={call}>
                <PhoneCall aria-hidden="true" /> Call again
              </Button>
              <Button form="verify-caller-id" type="submit" busy={isSubmitting}>
                Verify
              </Button>
            </>
          ) : (
            <Button busy={calling.isPending} onClick={call}>
              <PhoneCall aria-hidden="true" /> Call {number}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-pretty">
          Leadline calls <span className="whitespace-nowrap">{number}</span> through {carrier.label} ({unverifiedAt[0]})
          and reads out six digits. Enter them here, and the people you call see this number. The call is charged at
          your normal rate.
        </p>
        {failed ? <Notice>{failed}</Notice> : null}
        {calling.isSuccess ? (
          <form id="verify-caller-id" noValidate onSubmit={(event) => void submit(event)}>
            <Field
              label="Code"
              help="Enter the six digits you hear. They’re read out three times."
              message={errors.code?.message}
            >
              {(control) => (
                <Input
                  {...control}
                  className="max-w-40 tabular-nums"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  {...form.register("code", { setValueAs: (typed: string) => typed.replaceAll(/\D/g, "") })}
                />
              )}
            </Field>
          </form>
        ) : calling.isPending ? (
          <p role="status" className="rounded-md border border-line bg-sunk px-4 py-3 text-sm">
            Ringing. Answer the phone and listen.
          </p>
        ) : null}
      </div>
      {question}
    </Dialog>
  );
}
