import { Grid3x3, type LucideIcon, Mic, Pause, PhoneOff, Settings } from "lucide-react";

/** A drawing of the phone in a call; screen readers read it as one picture. */
export function PhonePicture() {
  return (
    <figure
      aria-label="The Leadline phone in a call with Bob Stone: 42 seconds, good sound, with mute, keypad, hold and hang up"
      className="relative mx-auto w-full max-w-[400px] rounded-[20px] bg-[#14395b] px-6 py-8 md:px-10 md:py-11"
    >
      <SoundWaves />
      <div aria-hidden="true" className="relative rounded-[14px] border border-line bg-panel p-5 text-ink shadow-lift">
        <div className="flex items-center justify-between text-xs text-ink-soft">
          <span className="flex items-center gap-1.5">
            <span className="size-2 rounded-full bg-call" /> In call
          </span>
          <span>Sandbox carrier</span>
        </div>
        <p className="mt-7 text-center text-[22px] leading-7 font-semibold tracking-[-0.01em]">Bob Stone</p>
        <p className="text-center text-ink-soft tabular-nums">+1 202 555 0100</p>
        <div className="mt-5 flex items-center justify-center gap-4">
          <span className="text-display font-semibold tabular-nums">0:42</span>
          <span className="flex items-center gap-2 text-table">
            <Bars /> Good
          </span>
        </div>
        <div className="mt-7 grid grid-cols-4 gap-2">
          <Key icon={Mic} label="Mute" />
          <Key icon={Grid3x3} label="Keypad" />
          <Key icon={Pause} label="Hold" />
          <Key icon={Settings} label="Settings" />
        </div>
        <div className="mt-6 flex h-12 items-center justify-center gap-2 rounded-full bg-end font-medium text-on-end">
          <PhoneOff className="size-4" /> Hang up
        </div>
      </div>
    </figure>
  );
}

function Key({ icon: Icon, label }: { icon: LucideIcon; label: string }) {
  return (
    <span className="flex flex-col items-center gap-1.5 text-xs text-ink-soft">
      <span className="grid size-12 place-items-center rounded-full border border-line bg-sunk text-ink">
        <Icon className="size-4" />
      </span>
      {label}
    </span>
  );
}

function Bars() {
  return (
    <svg viewBox="0 0 16 12" className="h-3 w-4 fill-ink">
      <rect x="0" y="7" width="3" height="5" rx="1" />
      <rect x="4.500" y="4" width="3" height="8" rx="1" />
      <rect x="9" y="1" width="3" height="11" rx="1" />
      <rect x="13.500" y="0" width="2.500" height="12" rx="1" className="opacity-25" />
    </svg>
  );
}

/** Depth contours, as in a nautical chart. */
function SoundWaves() {
  const curves = [0, 1, 2, 3, 4, 5, 6];
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 400 520"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      className="absolute inset-0 size-full rounded-[20px]"
    >
      {curves.map((step) => (
        <path
          key={step}
          d={`M-20 ${60 + step * 78} C 80 ${10 + step * 82}, 150 ${130 + step * 70}, 240 ${70 + step * 80} S 380 ${40 + step * 84}, 430 ${96 + step * 74}`}
          stroke="#8db8e0"
          strokeOpacity={0.34 - step * 0.035}
          strokeWidth="1"
        />
      ))}
    </svg>
  );
}
