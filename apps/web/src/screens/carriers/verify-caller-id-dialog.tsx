import { callToVerify, type CarrierConnection, verifyCallerId } from "@leadline/contract/carriers";
import { useMutation } from "@tanstack/react-query";
import { PhoneCall } from "lucide-react";
import { type FormEvent, useState } from "react";
import { toast } from "sonner";
import { request } from "../../data/api-client.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

/** A stable function, so that React calls it only once. */
const focusOnce = (input: HTMLInputElement | null): void => input?.focus();

interface VerifyCallerIdDialogProps {
  carrier: Pick<CarrierConnection, "id" | "label">;
  callerId: NonNullable<CarrierConnection["callerId"]>;
  onClose: () => void;
}

/** Calls the number and asks for the code that the callee hears, once for each of the carrier’s servers. */
export function VerifyCallerIdDialog({ carrier, callerId, onClose }: VerifyCallerIdDialogProps) {
  const { number, unverifiedAt } = callerId;
  const [code, setCode] = useState("");
  const params = { id: carrier.id };
  const calling = useMutation({ mutationFn: () => request(callToVerify, { params }) });
  const verifying = useMutation({
    mutationFn: () => request(verifyCallerId, { params, body: { code } }),
    async onSuccess(saved) {
      await queryClient.invalidateQueries({ queryKey: carriersQuery.queryKey });
      const left = saved.callerId?.unverifiedAt ?? [];
      toast.success(left.length === 0 ? `${number} is verified.` : `${number} is verified. Next: ${left.join(", ")}.`);
      onClose();
    },
  });
  const call = () => {
    setCode("");
    verifying.reset();
    calling.mutate();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verifying.mutate();
  };
  const failed = verifying.error ?? calling.error;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Verify ${number}`}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            Close
          </Button>
          {calling.isSuccess ? (
            <>
              <Button tone="plain" onClick={call}>
                <PhoneCall aria-hidden="true" /> Call again
              </Button>
              <Button form="verify-caller-id" type="submit" busy={verifying.isPending} disabled={code.length !== 6}>
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
          Leadline calls {number} through {carrier.label} ({unverifiedAt[0]}) and reads out six digits. Enter them here,
          and the people you call see this number. The call is charged at your normal rate.
        </p>
        {failed ? <Notice>{problemDetail(failed)}</Notice> : null}
        {calling.isSuccess ? (
          <form id="verify-caller-id" onSubmit={submit}>
            <Field label="Code" help="Enter the six digits you hear. They’re read out three times.">
              {(control) => (
                <Input
                  {...control}
                  className="max-w-40 tabular-nums"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  ref={focusOnce}
                  value={code}
                  onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, "").slice(0, 6))}
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
    </Dialog>
  );
}
