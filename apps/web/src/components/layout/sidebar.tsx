import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { laterPart, useEver } from "../../ui/later-part.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { Logo } from "../logo.tsx";
import { NewMessages, NewMessagesDot } from "../new-messages.tsx";
import { type NavigationEntry, useNavigation } from "./navigation.ts";
import type { SidebarState } from "./use-sidebar.ts";

const Sheet = laterPart(() => import("../../ui/sheet.tsx"), "Sheet");

interface SidebarProps extends SidebarState {
  /** At the bottom of the sheet, which covers the page's own. */
  sheetFoot: ReactNode;
}

export function Sidebar({ collapsed, sheetOpen, setSheetOpen, sheetFoot }: SidebarProps) {
  const sheetShown = useEver(sheetOpen);
  return (
    <>
      <aside
        className={clsx(
          "sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-line bg-sunk md:flex",
          collapsed ? "w-15" : "w-58",
        )}
      >
        <Navigation collapsed={collapsed} />
      </aside>
      {sheetShown ? (
        <Sheet open={sheetOpen} onOpenChange={setSheetOpen} title="Menu" footer={sheetFoot}>
          <Navigation collapsed={false} onLeave={() => setSheetOpen(false)} />
        </Sheet>
      ) : null}
    </>
  );
}

function Navigation({ collapsed, onLeave }: { collapsed: boolean; onLeave?: () => void }) {
  return (
    <>
      <Link to="/dashboard" onClick={onLeave} className="mx-3 flex h-14 items-center rounded-md px-1.5">
        <Logo wordHidden={collapsed} />
      </Link>
      <nav aria-label="Main" className="flex flex-1 flex-col gap-5 overflow-y-auto px-3 py-2">
        {useNavigation().map((group) => (
          <div key={group.label ?? "main"} className="flex flex-col gap-0.5">
            {group.label ? (
              <p className={clsx("px-2.5 pb-1 text-xs text-ink-soft", collapsed && "sr-only")}>{group.label}</p>
            ) : null}
            {group.label && collapsed ? <span aria-hidden="true" className="mx-2 mb-2 h-px bg-line" /> : null}
            {group.entries.map((entry) => (
              <Entry key={entry.to} entry={entry} collapsed={collapsed} onLeave={onLeave} />
            ))}
          </div>
        ))}
      </nav>
    </>
  );
}

interface EntryProps {
  entry: NavigationEntry;
  collapsed: boolean;
  onLeave: (() => void) | undefined;
}

function Entry({ entry, collapsed, onLeave }: EntryProps) {
  const Icon = entry.icon;
  return (
    <Tooltip text={entry.label} side="right" enabled={collapsed}>
      <Link
        to={entry.to}
        onClick={onLeave}
        className={clsx(
          "relative flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-ink-soft transition-colors hover:bg-ink/5 hover:text-ink max-md:h-11",
          "aria-[current=page]:bg-panel aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_0_0_1px_var(--line)]",
          "aria-[current=page]:before:absolute aria-[current=page]:before:inset-y-2 aria-[current=page]:before:-left-3 aria-[current=page]:before:w-[3px] aria-[current=page]:before:rounded-r-full aria-[current=page]:before:bg-brass",
        )}
      >
        <Icon className="size-4 shrink-0" aria-hidden="true" />
        <span className={clsx(collapsed && "sr-only")}>{entry.label}</span>
        {entry.to === "/calls" ? (
          <>
            <NewMessages className={collapsed ? "sr-only" : "ml-auto"} />
            {collapsed ? <NewMessagesDot className="top-1 right-1" /> : null}
          </>
        ) : null}
      </Link>
    </Tooltip>
  );
}
