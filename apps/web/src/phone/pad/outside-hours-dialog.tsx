import { AlertDialog } from "radix-ui";
import { Button } from "../../ui/button.tsx";
import { isFocusLost } from "../../ui/is-focus-lost.ts";
import { focusNext } from "../../ui/use-focus-return.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";

/** Asks for confirmation before a call is placed while the organisation is closed. */
export function OutsideHoursDialog() {
  const phone = usePhone();
  const { asksOutsideHours } = usePhoneState();
  return (
    <AlertDialog.Root
      open={asksOutsideHours !== null}
      onOpenChange={(open) => {
        if (!open) void phone.callOutsideHours("leave");
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
          <AlertDialog.Title className="text-base font-semibold">Call outside opening hours?</AlertDialog.Title>
          <AlertDialog.Description className="text-sm text-pretty text-ink-soft">
            Your organisation is closed now. You can still call{" "}
            {asksOutsideHours ? formatPhoneNumber(asksOutsideHours.phoneNumber) : "this number"}.
          </AlertDialog.Description>
          <div className="mt-4 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button tone="quiet">Don’t call</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button onClick={() => void phone.callOutsideHours("call")}>Call anyway</Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
