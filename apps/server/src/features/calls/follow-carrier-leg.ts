import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { isLive } from "@leadline/contract/call-state";
import type { CallDeps } from "./call-deps.ts";
import { changeLiveCall } from "./change-live-call.ts";
import { endCall } from "./end-call.ts";
import type { LiveCall } from "./live-calls.ts";

/** Moves the call as its carrier reports. Sound is let through before anything is written. */
export async function followCarrierLeg(deps: CallDeps, live: LiveCall, event: CarrierLegEvent): Promise<void> {
  if (!isLive(live.status)) return;
  switch (event.type) {
    case "ringing":
      if (live.status !== "queued") return;
      live.status = "ringing";
      await live.inOrder(() => changeLiveCall(deps, live, { status: "ringing" }));
      return;
    case "early-media":
      await deps.mediaPlane.acceptCarrierAnswer(live.carrierLegId, event.answer);
      live.hasFarEnd = true;
      return;
    case "answered":
      if (live.status === "in-progress") return;
      live.status = "in-progress";
      live.answeredAtMs = performance.now();
      live.hasFarEnd = true;
      await deps.mediaPlane.acceptCarrierAnswer(live.carrierLegId, event.answer);
      await live.inOrder(() =>
        changeLiveCall(deps, live, { status: "in-progress", answered: { setupMs: setupMs(live) } }),
      );
      return;
    case "ended":
      await endCall(deps, live, event.cause);
  }
}

const setupMs = ({ answeredAtMs, startedAtMs }: LiveCall): number =>
  Math.max(0, Math.round((answeredAtMs ?? startedAtMs) - startedAtMs));
