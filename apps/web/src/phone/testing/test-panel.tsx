import { ActiveCallScreen } from "../in-call/active-call-screen.tsx";
import { DialPad } from "../pad/dial-pad.tsx";
import { usePhoneState } from "../phone-provider.tsx";
import { TransferDialog } from "../transfer/transfer-dialog.tsx";
import { useTransferKey } from "../transfer/use-transfer-key.ts";

/** The phone as its own page shows it, in a call or out of one. */
export function TestPanel() {
  const { screen, phase } = usePhoneState();
  useTransferKey();
  return (
    <>
      {screen === "active-call" && phase === "live" ? (
        <ActiveCallScreen onSettings={() => {}} />
      ) : (
        <DialPad recentNumbers={[]} />
      )}
      <TransferDialog />
    </>
  );
}
