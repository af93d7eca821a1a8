import { clsx } from "clsx";
import { Settings } from "lucide-react";
import { useState } from "react";
import { isActive } from "../../phone/call/call-phase.ts";
import { ActiveCallScreen } from "../../phone/in-call/active-call-screen.tsx";
import { CutOffWarning } from "../../phone/in-call/cut-off-warning.tsx";
import { laterPart } from "../../ui/later-part.tsx";
import { DialPad } from "../../phone/pad/dial-pad.tsx";
import { PhoneStatus } from "../../phone/pad/phone-status.tsx";
import { useHeldConnection } from "../../phone/pad/use-held-connection.ts";
import { usePhoneState } from "../../phone/phone-context.ts";
import { ActiveCallSettings } from "../../phone/settings/active-call-settings.tsx";
import { IconButton } from "../../ui/icon-button.tsx";

const CallerIdMenu = laterPart(() => import("../../phone/pad/caller-id-menu.tsx"), "CallerIdMenu");

/** The phone: its state, and the pad or the call's controls. */
export function PhonePanel({ recentNumbers }: { recentNumbers: readonly string[] }) {
  const state = usePhoneState();
  const [settingsOpen, setSettingsOpen] = useState(false);
  useHeldConnection();
  const endsSoon = isActive(state.phase) && [state.call, state.other].some((call) => call?.cutOff);
  const showsCall = isActive(state.phase) && state.screen === "active-call";
  return (
    <section
      aria-label="Phone"
      className="flex flex-col gap-3 rounded-md border border-line bg-panel p-4 max-md:border-0 max-md:bg-transparent max-md:p-0"
    >
      <header
        className={clsx(
          "flex items-center justify-between gap-2",
          // As high in both states, so that nothing below moves.
          endsSoon ? "sticky top-14 z-10 -mx-1 -my-2 min-h-12 bg-panel px-1 py-2 max-md:bg-paper" : "min-h-8",
        )}
      >
        {endsSoon ? <CutOffWarning className="-my-[13px] flex-1 px-2.5 py-1 text-xs" /> : <PhoneStatus />}
        {showsCall ? null : (
          <IconButton label="Settings" size="small" className="-mr-2" onClick={() => setSettingsOpen(true)}>
            <Settings />
          </IconButton>
        )}
      </header>
      {showsCall ? (
        <ActiveCallScreen onSettings={() => setSettingsOpen(true)} />
      ) : (
        <>
          <DialPad recentNumbers={recentNumbers} />
          {isActive(state.phase) ? null : <CallerIdMenu />}
        </>
      )}
      <ActiveCallSettings open={settingsOpen} onOpenChange={setSettingsOpen} />
    </section>
  );
}
