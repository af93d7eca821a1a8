import { useRouterState } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useLiveConnectionState } from "../../data/live-events.ts";
import { useOnline } from "../use-online.ts";

/** Until then, a page is still loading. */
const patienceMs = 1500;

/** A restart's first moments aren't worth a notice. */
const reconnectingMs = 2000;

/**
 * Says that the network or the server is down, and that the chosen page will load. Overlays the page's top margin, so
 * that nothing shifts under the pointer.
 */
export function OfflineNotice() {
  const online = useOnline();
  const lost = useLiveConnectionState() === "lost";
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  return (
    <div role="status" className="pointer-events-none sticky top-14 z-20 h-0">
      {online ? (
        <NoAnswer lost={lost} isLoading={isLoading} />
      ) : (
        <Notice>
          {isLoading
            ? "You’re offline. The page will open when you’re back online."
            : "You’re offline. Leadline will reconnect when you’re back online."}
        </Notice>
      )}
    </div>
  );
}

function NoAnswer({ lost, isLoading }: { lost: boolean; isLoading: boolean }) {
  if (lost) return <Late afterMs={reconnectingMs}>Leadline isn’t responding. Reconnecting…</Late>;
  if (!isLoading) return null;
  return <Late afterMs={patienceMs}>This page is taking a while to load.</Late>;
}

/** There is a network, but no response. */
function Late({ afterMs, children }: { afterMs: number; children: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return late ? <Notice>{children}</Notice> : null;
}

function Notice({ children }: { children: string }) {
  return (
    <p className="flex items-center justify-center gap-1.5 border-b border-brass/40 bg-brass-wash px-4 py-[3px] text-xs font-medium text-pretty">
      <WifiOff className="size-3.5 shrink-0 text-brass" aria-hidden="true" />
      {children}
    </p>
  );
}
