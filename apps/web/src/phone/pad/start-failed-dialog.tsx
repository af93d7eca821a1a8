import { Link } from "@tanstack/react-router";
import { AlertDialog } from "radix-ui";
import { useSyncExternalStore } from "react";
import { Button } from "../../ui/button.tsx";
import { usePhone, usePhoneState } from "../phone-context.ts";

const remedies = {
  limits: { to: "/settings/limits", label: "Open Limits" },
  balance: { to: "/settings/billing", label: "Open Billing" },
  rates: { to: "/settings/carriers", label: "Open Carriers" },
} as const;

/** The opener, the Call button, was disabled meanwhile: focuses the number that wasn't called. */
function returnToNumber(event: Event): void {
  const number = document.querySelector<HTMLElement>("[data-dialled-number]");
  if (!number || matchMedia("(pointer: coarse)").matches) return;
  event.preventDefault();
  number.focus();
}

/**
 * Says that a call could not be started or answered, and why; the number stays on the pad. A call that still rings says
 * so itself.
 */
export function StartFailedDialog() {
  const phone = usePhone();
  const { startFailure, answerFailedOf, startRefusedBy } = usePhoneState();
  const remedy = startRefusedBy && remedies[startRefusedBy];
  const ringing = useSyncExternalStore(phone.incoming.subscribe, phone.incoming.list);
  return (
    <AlertDialog.Root
      open={startFailure !== null && !ringing.some(({ callSid }) => callSid === answerFailedOf)}
      onOpenChange={(open) => {
        if (!open) phone.clearStartFailure();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <AlertDialog.Content
          onCloseAutoFocus={returnToNumber}
          className="fixed top-1/2 left-1/2 z-50 flex w-[min(400px,calc(100vw-32px))] -translate-1/2 animate-fade flex-col gap-2 rounded-md border border-line bg-panel p-6 shadow-lift"
        >
          <AlertDialog.Title className="text-base font-semibold">
            {answerFailedOf ? "Failed to answer call" : "Failed to start call"}
          </AlertDialog.Title>
          <AlertDialog.Description className="text-sm text-pretty text-ink-soft">
            {startFailure}
          </AlertDialog.Description>
          <div className="mt-4 flex justify-end gap-2">
            {remedy ? (
              <AlertDialog.Action asChild>
                <Button asChild tone="quiet">
                  <Link to={remedy.to}>{remedy.label}</Link>
                </Button>
              </AlertDialog.Action>
            ) : null}
            {/* A dialog initially focuses its Cancel button. */}
            <AlertDialog.Cancel asChild>
              <Button>OK</Button>
            </AlertDialog.Cancel>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
