import { Slot } from "radix-ui";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { LaterPart } from "./later-part.tsx";
import type { MenuProps } from "./menu.tsx";

interface LaterMenuProps {
  /** The menu with its items, around the trigger it is given. */
  menu: LaterPart<Pick<MenuProps, "trigger" | "startsOpen">>;
  trigger: ReactNode;
}

/** A menu whose button stands there from the first paint; the rest comes when a hand moves to it, or soon after. */
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
    // The menu's own button takes this one's place, but not from under a hand that has not asked for it.
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
