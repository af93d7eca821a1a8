import { clsx } from "clsx";

const bars = Array.from({ length: 20 }, (_, i) => i / 20);

/** The microphone's loudness, 0 to 1. */
export function LevelMeter({ level }: { level: number }) {
  return (
    <div
      role="meter"
      aria-label="Microphone level"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(level * 100)}
      className="flex h-3 gap-[3px]"
    >
      {bars.map((from) => (
        <span key={from} className={clsx("flex-1 rounded-[2px]", level > from ? "bg-brass" : "bg-ink/10")} />
      ))}
    </div>
  );
}
