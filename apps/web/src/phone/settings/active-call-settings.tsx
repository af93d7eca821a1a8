import { Volume2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { canChooseSpeaker } from "../drivers/remote-audio.ts";
import type { AudioDevice } from "../microphone/choose-device.ts";
import { microphoneSentences } from "../microphone/open-microphone.ts";
import { useDevices, usePhone } from "../phone-context.ts";
import { playSound } from "../tones/play-sound.ts";
import { keySounds } from "../tones/pick-key-sound.ts";
import { LevelMeter } from "./level-meter.tsx";
import { useMicrophoneLevel } from "./use-microphone-level.ts";

interface ActiveCallSettingsProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The microphone and the speaker; a choice takes effect immediately, also in a call. */
export function ActiveCallSettings({ open, onOpenChange }: ActiveCallSettingsProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Active Call Settings">
      <div className="flex flex-col gap-5">
        <MicrophoneSetting key={attempt} onTryAgain={() => setAttempt(attempt + 1)} />
        <SpeakerSetting />
      </div>
    </Dialog>
  );
}

const withId = (devices: readonly AudioDevice[], id: string): AudioDevice | null =>
  devices.find((device) => device.id === id) ?? null;

function MicrophoneSetting({ onTryAgain }: { onTryAgain: () => void }) {
  const { devices } = usePhone();
  const { microphones, microphone, problem, notice } = useDevices();
  const trial = useMicrophoneLevel(microphone?.id);

  if (!trial.opening && (problem || microphones.length === 0)) {
    return (
      <div className="flex flex-col items-start gap-3">
        <p className="text-sm font-medium">Select a Microphone:</p>
        <div role="alert" className="rounded-md bg-fault-wash px-3 py-2 text-table text-pretty">
          <p className="font-semibold">No microphones available or permissions denied.</p>
          <p>{microphoneSentences[problem ?? "none"]}</p>
        </div>
        {problem === "insecure" ? null : (
          <Button tone="plain" size="small" onClick={onTryAgain}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <Field
        label="Select a Microphone:"
        help={
          notice ?? (trial.opening ? "Your browser may ask for permission." : "Say something. The bar should move.")
        }
      >
        {(control) => (
          <Select
            {...control}
            options={microphones.map(({ id, label }) => ({ value: id, label }))}
            value={microphone?.id ?? ""}
            placeholder="Opening your microphone…"
            disabled={microphones.length === 0}
            onValueChange={(id) => devices.choose({ microphone: withId(microphones, id) })}
          />
        )}
      </Field>
      <LevelMeter level={trial.level ?? 0} />
    </div>
  );
}

function SpeakerSetting() {
  const { devices } = usePhone();
  const { speakers, speaker } = useDevices();
  const choosable = canChooseSpeaker() && speakers.length > 0;
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      {choosable ? (
        <Field label="Select a Speaker:">
          {(control) => (
            <Select
              {...control}
              options={speakers.map(({ id, label }) => ({ value: id, label }))}
              value={speaker?.id ?? ""}
              onValueChange={(id) => devices.choose({ speaker: withId(speakers, id) })}
            />
          )}
        </Field>
      ) : null}
      <div className="flex items-center justify-between gap-4">
        <p className="text-table text-ink-soft">Plays a short tone on this speaker.</p>
        <Button
          tone="plain"
          size="small"
          onClick={() => void playSound(keySounds[0], { volume: 0.8, speakerId: speaker?.id ?? null })}
        >
          <Volume2 aria-hidden="true" />
          Test your sound
        </Button>
      </div>
    </div>
  );
}
