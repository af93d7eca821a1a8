import { Slot } from "radix-ui";
import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { laterPart } from "./later-part.tsx";

const TooltipBubble = laterPart(() => import("./tooltip-bubble.tsx"), "TooltipBubble");

const delayMs = 350;
/** The next tooltip within this time opens without a delay. */
const noDelayWithinMs = 150;
/** Time to move the pointer to the tooltip, which then stays open. */
const graceMs = 120;
let lastShownAt = -Infinity;

export interface TooltipProps {
  text: string;
  shortcut?: string | undefined;
  side?: "top" | "right" | "bottom" | "left";
  /** False shows none, without remounting the child. */
  enabled?: boolean;
  children: ReactNode;
}

/** On hover and keyboard focus. Its child is a single element, which doesn't change when the tooltip is shown. */
export function Tooltip({ enabled = true, children, ...told }: TooltipProps) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function after(ms: number, next: Element | null): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => show(next), ms);
  }
  function show(next: Element | null): void {
    clearTimeout(timer.current);
    if (anchor && !next) lastShownAt = performance.now();
    setAnchor(next);
  }
  return (
    <>
      <Slot.Root
        onPointerEnter={({ pointerType, currentTarget }: PointerEvent) => {
          if (pointerType === "touch" || !enabled) return;
          void TooltipBubble.preload();
          after(performance.now() - lastShownAt < noDelayWithinMs ? 0 : delayMs, currentTarget);
        }}
        onPointerLeave={() => after(graceMs, null)}
        onPointerDown={() => show(null)}
        onClick={() => show(null)}
        onFocus={({ currentTarget }: FocusEvent) => {
          if (enabled && currentTarget.matches(":focus-visible")) show(currentTarget);
        }}
        onBlur={() => show(null)}
      >
        {children}
      </Slot.Root>
      {anchor && enabled ? (
        <TooltipBubble
          {...told}
          anchor={anchor}
          onClose={() => show(null)}
          onHover={(hovered) => (hovered ? clearTimeout(timer.current) : after(graceMs, null))}
        />
      ) : null}
    </>
  );
}
