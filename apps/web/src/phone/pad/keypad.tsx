import { clsx } from "clsx";
import { useRef } from "react";

interface Key {
  key: string;
  name: string;
  /** The letters of ITU-T E.161, or what a long press enters. */
  under: string;
}

const keys: readonly Key[] = [
  { key: "1", name: "1", under: "" },
  { key: "2", name: "2", under: "ABC" },
  { key: "3", name: "3", under: "DEF" },
  { key: "4", name: "4", under: "GHI" },
  { key: "5", name: "5", under: "JKL" },
  { key: "6", name: "6", under: "MNO" },
  { key: "7", name: "7", under: "PQRS" },
  { key: "8", name: "8", under: "TUV" },
  { key: "9", name: "9", under: "WXYZ" },
  { key: "*", name: "Star", under: "" },
  { key: "0", name: "0", under: "+" },
  { key: "#", name: "Hash", under: "" },
];
const longPressMs = 500;

interface KeypadProps {
  onKey: (key: string) => void;
  /** Whether holding 0 enters a plus sign. */
  plusOnZero: boolean;
  /** For use with a call's controls, which need room on a small screen. */
  compact?: boolean;
}

export function Keypad({ onKey, plusOnZero, compact = false }: KeypadProps) {
  const holding = useRef<ReturnType<typeof setTimeout> | null>(null);
  const gavePlus = useRef(false);
  const letGo = () => {
    if (holding.current !== null) clearTimeout(holding.current);
    holding.current = null;
  };
  const hold = () => {
    gavePlus.current = false;
    holding.current = setTimeout(() => {
      gavePlus.current = true;
      onKey("+");
    }, longPressMs);
  };

  return (
    <fieldset className="grid grid-cols-3 gap-2" aria-label="Keypad">
      {keys.map(({ key, name, under }) => (
        <button
          key={key}
          type="button"
          aria-label={name}
          data-key={key}
          // The caret stays in the field, so that typing and pressing can be mixed.
          onMouseDown={(event) => event.preventDefault()}
          onPointerDown={key === "0" && plusOnZero ? hold : undefined}
          onPointerUp={letGo}
          onPointerLeave={letGo}
          onContextMenu={(event) => event.preventDefault()}
          onClick={() => {
            if (key === "0" && gavePlus.current) gavePlus.current = false;
            else onKey(key);
          }}
          className={clsx(
            "flex h-[52px] touch-manipulation flex-col items-center justify-center rounded-md border border-line bg-panel select-none",
            compact ? "max-md:h-[clamp(44px,6.4dvh,64px)]" : "max-md:h-[clamp(48px,8.4dvh,76px)]",
            "transition-colors hover:bg-sunk active:border-brass active:bg-brass-wash",
          )}
        >
          <span
            aria-hidden="true"
            // An asterisk is small and high in its line.
            className={clsx(
              "font-medium tabular-nums",
              key === "*" ? "translate-y-1.5 text-[30px]/6" : "text-[21px]/6",
            )}
          >
            {key}
          </span>
          <span
            aria-hidden="true"
            data-under={key === "0" && !plusOnZero ? "" : under}
            // Decorative: the key's accessible name is only its digit.
            className="h-3 text-[10px]/3 font-medium tracking-[0.12em] text-ink-soft after:content-[attr(data-under)]"
          />
        </button>
      ))}
    </fieldset>
  );
}
