import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { audioLocation } from "../call/phone-state.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";

/** Without a network, the server learns of the hang-up later, and logging out doesn't wait for it. */
const maxHangUpMs = 3_000;

export function LogoutInCallDialog({ onStay, onLogout }: { onStay: () => void; onLogout: () => void }) {
  const phone = usePhone();
  const state = usePhoneState();
  // A call on another device continues there; one in another tab doesn't.
  const isElsewhere = audioLocation(state) === "elsewhere";
  const endAndLogout = (): void => {
    // Has no effect once the end of the call, or Stay, has answered the question.
    setTimeout(onLogout, maxHangUpMs);
    void phone.hangUp();
  };
  return (
    <Dialog
      open
      onOpenChange={onStay}
      title="You’re on a call"
      description={
        isElsewhere
          ? "Its audio is in another tab or on another device. If it’s in another tab of this browser, logging out ends the call."
          : "Logging out ends the call."
      }
      footer={
        <>
          <Button tone="quiet" onClick={onStay}>
            Stay
          </Button>
          {isElsewhere ? (
            <Button tone="danger" onClick={onLogout}>
              Log out
            </Button>
          ) : (
            <Button tone="end" busy={state.hangingUp} onClick={endAndLogout}>
              End call and log out
            </Button>
          )}
        </>
      }
    />
  );
}
