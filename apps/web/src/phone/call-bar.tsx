import type { ReactNode } from "react";
import { useMatches } from "@tanstack/react-router";
import { laterPart } from "../ui/later-part.tsx";
import { usePublishedHeight } from "./bar/use-published-height.ts";
import { isActive } from "./call/call-phase.ts";
import { usePhoneState } from "./phone-context.ts";

const EndedCall = laterPart(() => import("./bar/ended-call.tsx"), "EndedCall");
const LiveCall = laterPart(() => import("./bar/live-call.tsx"), "LiveCall");

/** The live call at the bottom of every page except Calls, and how it ended until that is dismissed. */
export function CallBar() {
  const { phase, call } = usePhoneState();
  // The page that is shown, not the one that a click leads to: without a network, the next page may take a while.
  const onPhonePage = useMatches({ select: (shown) => shown.at(-1)?.pathname === "/calls" });
  if (onPhonePage) return null;
  if (isActive(phase))
    return (
      <Bar label="Current call">
        <LiveCall />
      </Bar>
    );
  return phase === "ended" && call ? (
    <Bar label="Call ended">
      <EndedCall call={call} />
    </Bar>
  ) : null;
}

function Bar({ label, children }: { label: string; children: ReactNode }) {
  const bar = usePublishedHeight();
  return (
    <section
      ref={bar}
      aria-label={label}
      className="sticky bottom-0 z-30 flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 border-t border-brass bg-panel px-4 py-2 shadow-lift md:px-8"
    >
      {children}
    </section>
  );
}
