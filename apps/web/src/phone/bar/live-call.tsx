import { Link } from "@tanstack/react-router";
import { Mic, MicOff, Pause, PhoneForwarded, Play, UserPlus, Volume2 } from "lucide-react";
import { leadOfCall } from "../../components/lead-names.ts";
import { Button } from "../../ui/button.tsx";
import { useTakeLostFocus } from "../../ui/use-take-lost-focus.ts";
import {
  audioLocation,
  callStageLabel,
  isBeingTransferred,
  isReconnecting,
  isUnheard,
  mayHold,
  mayTransfer,
} from "../call/phone-state.ts";
import { canConsult, isConference } from "../call/two-calls.ts";
import { CallTimer } from "../in-call/call-timer.tsx";
import { CutOffWarning } from "../in-call/cut-off-warning.tsx";
import { HangUpButton } from "../in-call/hang-up-button.tsx";
import { MutedBadge } from "../in-call/muted-badge.tsx";
import { QualityBadge } from "../in-call/quality-badge.tsx";
import { RunningCost } from "../in-call/running-cost.tsx";
import { useOtherEnd } from "../numbers/use-other-end.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";
import { SecondLine } from "../second-line/second-line.tsx";
import { TransferNote } from "../in-call/transfer-note.tsx";
import { barButtonLook } from "./bar-button-look.ts";
import { BarKeypad } from "./bar-keypad.tsx";

/** Who the call is with, its state, and labelled controls. On a small screen, the controls have their own row. */
export function LiveCall() {
  const phone = usePhone();
  const state = usePhoneState();
  const number = useOtherEnd(state.call ?? { phoneNumber: state.dialled, callerId: null });
  const sound = audioLocation(state);
  const { call, other } = state;
  const place = useTakeLostFocus({ when: other === null });
  const conference = isConference(state);
  return (
    <>
      <CutOffWarning className="w-full px-4 py-2 text-sm" />
      <TransferNote className="w-full" />
      <SecondLine className="w-full" folds />
      <div ref={place} tabIndex={-1} className="min-w-0 flex-1 basis-60 outline-none max-md:basis-full">
        <Link
          to="/calls"
          dir="auto"
          className="block truncate text-left text-sm font-semibold tabular-nums hover:underline"
        >
          {conference ? "2 people" : (leadOfCall(call?.leads ?? []) ?? number)}
        </Link>
        <p className="flex flex-wrap items-center gap-x-3 text-table text-ink-soft">
          <span>{callStageLabel(state)}</span>
          {state.answeredMs === null ? null : (
            <CallTimer answeredMs={state.answeredMs} className="text-base font-semibold text-ink tabular-nums" />
          )}
          <RunningCost />
          <MutedBadge />
          <QualityBadge quality={isReconnecting(state) ? null : state.sound.quality} />
        </p>
        {state.trouble ? (
          <p role="status" className="text-table text-pretty text-fault">
            {state.trouble}
          </p>
        ) : null}
      </div>
      {sound === "here" ? null : (
        <Button
          tone={sound === "lost" ? "primary" : "plain"}
          className="max-md:w-full"
          busy={state.movingAudio}
          onClick={() => void phone.moveAudioHere()}
        >
          {sound === "lost" ? "Rejoin" : "Take the audio here"}
        </Button>
      )}
      {isUnheard(state) ? (
        <Button className="max-md:w-full" onClick={phone.resumePlayback}>
          <Volume2 aria-hidden="true" />
          Click to hear them
        </Button>
      ) : null}
      <div className="flex items-center gap-1.5 max-md:w-full">
        <Button
          className={barButtonLook}
          tone="plain"
          disabled={!state.call}
          onClick={() => void phone.setMuted(!state.muted)}
        >
          {state.muted ? <MicOff aria-hidden="true" /> : <Mic aria-hidden="true" />}
          {state.muted ? "Unmute" : "Mute"}
        </Button>
        {call?.canHold && !conference ? (
          <Button
            className={barButtonLook}
            tone="plain"
            disabled={!mayHold(state)}
            onClick={() => void phone.setHeld(!state.held)}
          >
            {state.held ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
            {state.held ? "Resume" : "Hold"}
          </Button>
        ) : null}
        {(call?.canTransfer || call?.canHold) && !other ? (
          <Button className={barButtonLook} tone="plain" disabled={!mayTransfer(state)} onClick={phone.openTransfer}>
            <PhoneForwarded aria-hidden="true" />
            Transfer
          </Button>
        ) : null}
        {call?.canHold && !other ? (
          <Button
            className={barButtonLook}
            tone="plain"
            disabled={!canConsult(state) || isBeingTransferred(state)}
            onClick={phone.openAdd}
          >
            <UserPlus aria-hidden="true" />
            Add
          </Button>
        ) : null}
        <BarKeypad />
        <HangUpButton className={barButtonLook} size="medium" />
      </div>
    </>
  );
}
