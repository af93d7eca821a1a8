import { Grid3x3, Settings } from "lucide-react";
import { usePhone } from "../phone-context.ts";
import { AddControl, Control, HoldControl, MuteControl, TransferControl } from "./call-controls.tsx";
import { CallHeading } from "./call-heading.tsx";
import { CallCompany, CallTroubles } from "./call-troubles.tsx";
import { HangUpButton } from "./hang-up-button.tsx";

/** The call's controls; the hang-up button is set apart. */
export function ActiveCallScreen({ onSettings }: { onSettings: () => void }) {
  const phone = usePhone();
  return (
    <div className="flex flex-col gap-5 pt-3">
      <CallHeading />
      <CallCompany />
      <div className="grid grid-cols-2 gap-2 has-[>:nth-child(3)]:grid-cols-6 has-[>:nth-child(3)]:*:col-span-2 has-[>:nth-child(4):last-child]:*:col-span-3 has-[>:nth-child(5):last-child]:*:nth-[n+4]:col-span-3">
        <MuteControl />
        <Control label="Keypad" onClick={() => phone.show("keypad")}>
          <Grid3x3 aria-hidden="true" />
        </Control>
        <HoldControl />
        <TransferControl />
        <AddControl />
        <Control label="Settings" onClick={onSettings}>
          <Settings aria-hidden="true" />
        </Control>
      </div>
      <div className="sticky bottom-0 z-20 -mx-1 mt-4 bg-panel px-1 py-2 max-md:bg-paper">
        <HangUpButton className="w-full" />
      </div>
      <CallTroubles />
    </div>
  );
}
