import {
  largestGreetingBytes,
  longestGreetingMs,
  playGreeting,
  uploadGreeting,
  type VoicemailSettings,
} from "@leadline/contract/voicemail";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FileDrop } from "../../components/file-drop.tsx";
import { SoundPlayer } from "../../components/sound/sound-player.tsx";
import { request, requestFile } from "../../data/api-client.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { refuseLarger } from "../../data/refuse-larger.ts";
import { voicemailSettingsQuery } from "../../data/voicemail-query.ts";
import { Notice } from "../../ui/notice.tsx";

interface GreetingFieldProps {
  settings: Pick<VoicemailSettings, "greetings" | "defaultGreetingMs">;
  /** Null for the default. */
  value: string | null;
  onChange: (value: string | null) => void;
  disabled: boolean;
}

/** Each greeting can be played before it is chosen. None is used until the form is saved. */
export function GreetingField({ settings, value, onChange, disabled }: GreetingFieldProps) {
  const uploading = useMutation({
    mutationFn: async (files: readonly File[]) => {
      refuseLarger(files, largestGreetingBytes, `Choose a file of less than ${largestGreetingBytes / 2 ** 20} MB.`);
      return request(uploadGreeting, { files });
    },
    onSuccess: async (greeting) => {
      const readAgain = queryClient.invalidateQueries({ queryKey: voicemailSettingsQuery.queryKey });
      queryClient.setQueryData<VoicemailSettings>(
        voicemailSettingsQuery.queryKey,
        (known) => known && { ...known, greetings: [greeting, ...known.greetings] },
      );
      onChange(greeting.id);
      await readAgain;
    },
  });
  return (
    <div className="flex flex-col gap-3">
      <fieldset className="flex flex-col rounded-md border border-line bg-panel">
        <legend className="sr-only">Greeting</legend>
        <Choice
          name="Default greeting"
          label="the default greeting"
          durationMs={settings.defaultGreetingMs}
          greetingId="default"
          checked={value === null}
          disabled={disabled}
          onChoose={() => onChange(null)}
        >
          “Hello. Nobody can take your call right now. Please leave a message after the tone. Your message is recorded.”
        </Choice>
        {settings.greetings.map(({ id, name, durationMs }) => (
          <Choice
            key={id}
            name={name}
            label={`the greeting ${name}`}
            durationMs={durationMs}
            greetingId={id}
            checked={value === id}
            disabled={disabled}
            onChoose={() => onChange(id)}
          />
        ))}
      </fieldset>
      {disabled ? null : (
        <FileDrop
          label="Upload your own greeting"
          help={`A WAV file (PCM, mono or stereo) of up to ${longestGreetingMs / 1000} seconds. It replaces any uploaded greeting that isn’t in use.`}
          accept=".wav,audio/wav"
          busy={uploading.isPending}
          onFiles={(files) => uploading.mutate(files)}
        />
      )}
      {uploading.isError ? <Notice>{problemDetail(uploading.error)}</Notice> : null}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  /** For people who can't see where the player is. */
  label: string;
  durationMs: number;
  greetingId: string;
  checked: boolean;
  disabled: boolean;
  onChoose: () => void;
  children?: ReactNode;
}

function Choice({ name, label, durationMs, greetingId, checked, disabled, onChoose, children }: ChoiceProps) {
  return (
    <div className="flex flex-col gap-1.5 border-b border-line px-4 py-3 last:border-b-0">
      <label className="flex min-h-6 cursor-pointer items-center gap-2.5 text-sm font-medium has-disabled:cursor-default">
        <input
          type="radio"
          name="greeting"
          checked={checked}
          disabled={disabled}
          onChange={onChoose}
          className="size-4 shrink-0 cursor-[inherit] accent-brand"
        />
        <span className="truncate">{name}</span>
      </label>
      {children ? <p className="pl-6.5 text-table text-pretty text-ink-soft">{children}</p> : null}
      <div className="pl-6.5">
        <SoundPlayer
          label={label}
          durationMs={durationMs}
          load={() => requestFile(playGreeting, { params: { greetingId } })}
        />
      </div>
    </div>
  );
}
