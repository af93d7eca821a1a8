import type { MediaPlane } from "./media-plane.ts";
import { routeLegs } from "./route-legs.ts";

/**
 * A browser's calls on `pooled`; what that cannot carry on `inProcess`: legs whose far end is the server itself (voicemail), calls
 * that begin without a browser, and those whose far end is sealed.
 */
export function joinMediaPlanes(inProcess: MediaPlane, pooled: MediaPlane): MediaPlane {
  const { plane, add } = routeLegs(inProcess, {
    browserLeg({ carrierLegId, wantsKeys }, find) {
      if (carrierLegId !== undefined) return find(carrierLegId) ?? inProcess;
      return wantsKeys ? inProcess : pooled;
    },
    carrierLeg: ({ browserLegId }, find) => find(browserLegId) ?? inProcess,
    resumed: pooled,
  });
  add(pooled);
  return { ...plane, carriesBrowsers: () => pooled.carriesBrowsers() };
}
