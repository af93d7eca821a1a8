import { problemDetail } from "../data/problem-error.ts";
import { usePhone, usePhoneState } from "../phone/phone-context.ts";
import { isActive } from "../phone/call/call-phase.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { useSwitchOrganisation } from "./use-switch-organisation.ts";

interface SwitchRefusedDialogProps {
  switching: ReturnType<typeof useSwitchOrganisation>;
}

/** Why the user is still in the previous organisation, and the way on: hanging up, or trying again. */
export function SwitchRefusedDialog({ switching }: SwitchRefusedDialogProps) {
  const phone = usePhone();
  const { phase, hangingUp } = usePhoneState();
  const inCall = isActive(phase);
  const { variables: wanted } = switching;
  const again = () => wanted && switching.mutate(wanted);
  return (
    <Dialog
      open={switching.isError}
      onOpenChange={(open) => !open && switching.reset()}
      title={`You haven’t switched to ${wanted?.name ?? "it"}`}
      description={switching.isError ? problemDetail(switching.error) : ""}
      footer={
        <>
          <Button tone="plain" onClick={() => switching.reset()}>
            {inCall ? "Stay in the call" : "Stay"}
          </Button>
          {inCall ? (
            <Button tone="end" busy={hangingUp} onClick={() => void phone.hangUp().then(again)}>
              Hang up and switch
            </Button>
          ) : (
            <Button onClick={again}>Try again</Button>
          )}
        </>
      }
    />
  );
}
