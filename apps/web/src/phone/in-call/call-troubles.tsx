import { CircleAlert, Volume2 } from "lucide-react";
import { isReconnecting, isUnheard, audioLocation } from "../call/phone-state.ts";
import { usePhone, usePhoneState, useDevices } from "../phone-context.ts";
import { Button } from "../../ui/button.tsx";
import { SecondLine } from "../second-line/second-line.tsx";
import { TransferNote } from "./transfer-note.tsx";

/** Above the controls: the transfer's progress, and the other participants. */
export function CallCompany() {
  return (
    <>
      <TransferNote />
      <SecondLine />
    </>
  );
}

/**
 * Problems with the call, and where its audio is if not here. They come and go, so they must not move any key: they are
 * below the controls, or over the page's header if there is no room.
 */
export function CallTroubles() {
  const phone = usePhone();
  const state = usePhoneState();
  const devices = useDevices();
  const place = audioLocation(state);
  const troubles = [
    state.trouble,
    state.sound.microphoneSilent ? "Your microphone seems silent." : null,
    state.sound.farEndSilent && !isReconnecting(state) ? "No audio from the other side." : null,
    devices.notice,
  ].filter((sentence) => sentence !== null);

  if (place === "here" && !isUnheard(state) && troubles.length === 0) return null;
  return (
    <div
      data-testid="call-troubles"
      className="flex flex-col gap-3 max-md:fixed max-md:inset-x-2 max-md:top-2 max-md:z-30 max-md:rounded-md max-md:border max-md:border-line max-md:bg-panel max-md:p-3 max-md:shadow-lift"
    >
      {place === "here" ? null : (
        <div className="flex flex-col gap-3 rounded-md border border-brass/40 bg-brass-wash px-4 py-3 text-sm">
          <p className="text-pretty">
            {place === "lost"
              ? "You can’t hear each other until you rejoin."
              : "The audio of this call is in another tab. You can control it from here."}
          </p>
          <Button busy={state.movingAudio} onClick={() => void phone.moveAudioHere()}>
            {place === "lost" ? "Rejoin" : "Take the audio here"}
          </Button>
        </div>
      )}
      {isUnheard(state) ? (
        <div className="flex flex-col gap-3 rounded-md border border-brass/40 bg-brass-wash px-4 py-3 text-sm">
          <p className="text-pretty">Your browser mutes this page until you click.</p>
          <Button onClick={phone.resumePlayback}>
            <Volume2 aria-hidden="true" />
            Click to hear them
          </Button>
        </div>
      ) : null}
      {troubles.map((sentence) => (
        <p key={sentence} role="status" className="flex items-start gap-2 text-table text-fault">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {sentence}
        </p>
      ))}
    </div>
  );
}
