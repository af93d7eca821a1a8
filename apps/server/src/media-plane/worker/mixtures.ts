import type { BrowserLeg } from "./browser-leg.ts";
import { joinBrowser } from "./browser-voice.ts";
import type { CarrierLeg } from "./carrier-leg.ts";
import { createMixture, type Mixture } from "./mixture.ts";

type Leg = BrowserLeg | CarrierLeg;

/** Who is joined with whom in this thread; a leg is in one mixture at a time. */
export function createMixtures() {
  const mixtures = new Set<Mixture>();
  const leaving = new Map<Leg, () => void>();

  function leave(leg: Leg | undefined): void {
    if (!leg) return;
    leaving.get(leg)?.();
    leaving.delete(leg);
  }

  /** Nobody talks to one who is alone. */
  function letAloneGo(together: ReadonlySet<Leg>): void {
    const [last] = together;
    if (together.size === 1) leave(last);
  }

  return {
    leave,
    join(legs: readonly Leg[]): void {
      legs.forEach(leave);
      const mixture = createMixture();
      const together = new Set(legs);
      mixtures.add(mixture);
      for (const leg of legs) {
        const { voice, goOut } = "bridge" in leg ? { voice: leg.join(mixture), goOut: leg.leave } : joinBrowser(leg);
        mixture.voices.add(voice);
        leaving.set(leg, () => {
          goOut();
          mixture.voices.delete(voice);
          together.delete(leg);
          if (together.size === 0) mixtures.delete(mixture);
          else letAloneGo(together);
        });
      }
      letAloneGo(together);
    },
    tick(): void {
      for (const mixture of mixtures) mixture.tick();
    },
  };
}
