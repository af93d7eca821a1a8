import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierHangUpCause, CarrierLegEvent, HangUpNotice } from "@leadline/adapter-kit/carrier";

import type { SipTarget } from "../transport/sip-target.ts";
import type { Trunk } from "../trunk.ts";
import type { Established } from "./established-call.ts";
import { emitWithPlacedAudio } from "./place-audio.ts";
import { notices } from "./reason.ts";
import type { ReplaceableLeg } from "./replaces.ts";

const settledWithinMs = 500;

/** A leg of a trunk, inbound or outbound. */
export interface TrunkLeg extends ReplaceableLeg {
  /** Hangs up and reports the end: the carrier is closing. */
  end(cause: CarrierHangUpCause): Promise<void>;
}

/** Until its call is answered, a leg only has its INVITE. */
interface Unanswered {
  cancel(why?: HangUpNotice): void;
  /** Resolves once every cancelled INVITE has its final response. */
  settled: Promise<void>;
}

export interface TrunkLegOptions {
  /** Where the far end's signalling comes from; null before that is known. */
  peer: () => string | null;
  onEvent: (event: CarrierLegEvent) => void;
  /** Called however the leg ended. */
  onOver: () => void;
  /** For an outbound call. */
  unanswered?: Unanswered;
}

/** A leg as its call sees it: with methods to report events and to change its state. */
export type LegInProgress = ReturnType<typeof createTrunkLeg>;

/**
 * One leg from its first event to its last: unanswered, answered, ended. Either side may end it at any time; the first
 * one counts, and nothing is reported after that.
 */
export function createTrunkLeg(trunk: Trunk, { peer, onEvent, onOver, unanswered }: TrunkLegOptions) {
  let over = false;
  let call: Established | null = null;
  /** The target that answered, if the call can be resumed. */
  let answeredAt: SipTarget | null = null;

  function emitNow(event: CarrierLegEvent): void {
    if (!over) onEvent(event);
  }
  const emit = emitWithPlacedAudio({
    ways: trunk,
    peer,
    emit: emitNow,
    onRefused(cause) {
      if (over) return;
      void stop(notices.audioAddressRefused);
      finish(cause);
    },
  });

  function close(): void {
    over = true;
    onOver();
  }

  function finish(cause: CarrierHangUpCause): void {
    if (over) return;
    emitNow({ type: "ended", cause });
    close();
  }

  async function stop(why?: HangUpNotice): Promise<void> {
    if (call) await call.bye(why);
    else unanswered?.cancel(why);
  }

  async function hangUp(why?: HangUpNotice): Promise<void> {
    if (over) return;
    close();
    await stop(why);
  }

  const port: TrunkLeg = {
    hangUp,
    setHold: (held) => call?.setHold(held) ?? Promise.resolve(),
    transfer: (asked) => call?.transfer(asked),
    replaceable: (by) => call?.replaceable(by) ?? null,
    ...(trunk.settings.keys === "info" && {
      sendDigits: (digits: string) => call?.sendDigits(digits) ?? Promise.resolve(),
    }),
    offerDigits: (digits) => call?.offerDigits(digits) ?? Promise.resolve(digits),
    snapshot(asked) {
      const known = call?.snapshot(asked);
      return known && answeredAt ? { ...known, target: answeredAt } : null;
    },
    leave() {
      if (over) return;
      close();
      call?.leave();
    },
    async end(cause) {
      if (over) return;
      emitNow({ type: "ended", cause });
      await hangUp();
      // The transport is about to close: the CANCEL of a ringing call must be sent before.
      if (!call) await Promise.race([unanswered?.settled, sleep(settledWithinMs, undefined, { ref: false })]);
    },
  };

  return {
    port,
    /** Reports an event, once its audio address is known to be allowed. */
    emit,
    /** The call has ended. */
    finish,
    isOver: (): boolean => over,
    isAnswered: (): boolean => call !== null,
    answered(by: Established, at: SipTarget | null): void {
      call = by;
      answeredAt = at;
    },
  };
}
