import { ActiveCallScreen } from "../in-call/active-call-screen.tsx";
import { CutOffWarning } from "../in-call/cut-off-warning.tsx";
import { useCallKeys } from "../in-call/use-call-keys.ts";
import { DialPad } from "../pad/dial-pad.tsx";
import { usePhoneState } from "../phone-context.ts";
import { TransferDialog } from "../transfer/transfer-dialog.tsx";

/** The phone as on its own page, with or without a call. */
export function TestPanel() {
  const { screen, phase } = usePhoneState();
  useCallKeys();
  return (
    <>
      <CutOffWarning />
      {screen === "active-call" && phase === "live" ? (
        <ActiveCallScreen onSettings={() => {}} />
      ) : (
        <DialPad recentNumbers={[]} />
      )}
      <TransferDialog />
    </>
  );
}
