import { Pause, Play } from "lucide-react";
import type { CSSProperties, KeyboardEvent } from "react";
import { problemDetail } from "../../data/problem-error.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ItemNote } from "../../ui/row-note.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { formatDuration } from "../format-time.ts";
import { useSound } from "./use-sound.ts";

interface SoundPlayerProps {
  /** Whose or what it is: "the message from Ada Lovelace". */
  label: string;
  durationMs: number;
  load: () => Promise<Blob>;
  onPlay?: () => void;
}

const secondsAKey = 5;
const keySteps: Record<string, number> = {
  ArrowLeft: -secondsAKey,
  ArrowDown: -secondsAKey,
  ArrowRight: secondsAKey,
  ArrowUp: secondsAKey,
};

export function SoundPlayer({ label, durationMs, load, onPlay }: SoundPlayerProps) {
  const sound = useSound({ load, onPlay });
  const wholeSeconds = durationMs / 1000;
  const at = Math.min(sound.seconds, wholeSeconds);
  const step = (event: KeyboardEvent): void => {
    const by = keySteps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    sound.seek(Math.max(0, Math.min(wholeSeconds, at + by)));
  };
  const played = { "--played": `${wholeSeconds > 0 ? (at / wholeSeconds) * 100 : 0}%` } as CSSProperties;
  return (
    <div role="group" aria-label={label} className="flex min-w-0 flex-wrap items-center gap-x-2">
      <IconButton
        label={`${sound.isPlaying ? "Pause" : "Play"} ${label}`}
        size="small"
        tone="plain"
        className="text-brand"
        aria-busy={sound.isLoading || undefined}
        onClick={sound.toggle}
      >
        {sound.isLoading ? <Spinner /> : sound.isPlaying ? <Pause /> : <Play />}
      </IconButton>
      <input
        type="range"
        aria-label={`Position in ${label}`}
        aria-valuetext={`${formatDuration(at * 1000)} of ${formatDuration(durationMs)}`}
        min={0}
        max={wholeSeconds}
        step={0.1}
        value={at}
        style={played}
        onKeyDown={step}
        onChange={(event) => sound.seek(event.target.valueAsNumber)}
        className="sound-position min-w-16 flex-1"
      />
      <span className="text-xs text-ink-soft tabular-nums" aria-hidden="true">
        {formatDuration(at * 1000)} / {formatDuration(durationMs)}
      </span>
      {sound.error ? <ItemNote className="pt-1">{problemDetail(sound.error)}</ItemNote> : null}
    </div>
  );
}
