import { Slot } from "radix-ui";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { LaterPart } from "./later-part.tsx";
import type { MenuProps } from "./menu.tsx";

interface LaterMenuProps {
  /** The menu with its items, around the given trigger. */
  menu: LaterPart<Pick<MenuProps, "trigger" | "startsOpen">>;
  trigger: ReactNode;
}

/** A menu whose button is there from the first paint; the rest loads when the pointer approaches, or soon after. */
export function LaterMenu({ menu: Menu, trigger }: LaterMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [wanted, setWanted] = useState(false);
  const [ready, setReady] = useState(Menu.isHere);
  const preload = () => void Menu.preload();
  async function open(): Promise<void> {
    setWanted(true);
    await Menu.preload();
    setReady(Menu.isHere());
  }
  useEffect(() => {
    const stand = button.current;
    if (ready || !stand) return;
    // The real menu's button replaces this one, but not under a pointer that hasn't clicked yet.
    const take = () => setReady((was) => was || (Menu.isHere() && !stand.matches(":hover, :focus")));
    const stop = Menu.onArrival(take);
    stand.addEventListener("pointerleave", take);
    stand.addEventListener("blur", take);
    return () => {
      stop();
      stand.removeEventListener("pointerleave", take);
      stand.removeEventListener("blur", take);
    };
  }, [Menu, ready]);
  if (ready) return <Menu trigger={trigger} startsOpen={wanted} />;
  return (
    <Slot.Root
      ref={button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onPointerDown={(event: PointerEvent) => {
        if (event.button === 0 && !event.ctrlKey) void open();
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (!["Enter", " ", "ArrowDown"].includes(event.key)) return;
        event.preventDefault();
        void open();
      }}
    >
      {trigger}
    </Slot.Root>
  );
}
