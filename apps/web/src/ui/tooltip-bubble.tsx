import { Tooltip as Radix } from "radix-ui";
import type { TooltipProps } from "./tooltip.tsx";

interface TooltipBubbleProps extends Pick<TooltipProps, "text" | "shortcut" | "side"> {
  anchor: Element;
  onClose: () => void;
  /** The pointer has entered or left it. */
  onHover: (hovered: boolean) => void;
}

/** A visible tooltip, next to its element. */
export function TooltipBubble({ anchor, text, shortcut, side = "bottom", onClose, onHover }: TooltipBubbleProps) {
  const { top, left, width, height } = anchor.getBoundingClientRect();
  /** Radix describes its anchor; the description is copied to the element itself. */
  const describe = (place: HTMLSpanElement | null) => {
    const described = place?.getAttribute("aria-describedby");
    if (described) anchor.setAttribute("aria-describedby", described);
    return () => anchor.removeAttribute("aria-describedby");
  };
  return (
    <Radix.Provider>
      <Radix.Root open onOpenChange={(open) => !open && onClose()}>
        <Radix.Portal>
          <Radix.Trigger asChild>
            <span
              ref={describe}
              aria-hidden="true"
              className="pointer-events-none fixed"
              style={{ top, left, width, height }}
            />
          </Radix.Trigger>
        </Radix.Portal>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            onPointerEnter={() => onHover(true)}
            onPointerLeave={() => onHover(false)}
            className="z-50 flex animate-fade items-center gap-2 rounded-[6px] bg-ink px-2 py-1 text-xs text-paper"
          >
            {text}
            {shortcut ? <kbd className="font-sans opacity-70">{shortcut}</kbd> : null}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
