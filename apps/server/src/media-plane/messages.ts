import type { BrowserLegState, MediaPlane } from "./media-plane.ts";

/** The parts of the media plane that are carried out in the worker, called by name. */
export interface MediaWork extends Omit<
  MediaPlane,
  "carriesBrowsers" | "openCarrierLeg" | "onBrowserLegState" | "onRecorded" | "remember" | "resume" | "shutDown"
> {
  /** `telephoneEventType`: the number by which the far end was asked to send keys, where that is not the leg's own. */
  openCarrierLeg(options?: { telephoneEventType?: number }): ReturnType<MediaPlane["openCarrierLeg"]>;
  /** Of a browser whose connection another server carries: that offers plain RTP, as to a carrier, and so is answered. */
  openPlainBrowserLeg(offer: string): ReturnType<MediaPlane["openBrowserLeg"]>;
}

/** What the worker is started with. */
export interface MediaWorkerData {
  publicAddress: string | null;
}

/** One call of the seam on its way to the worker. */
export type ToWorker = {
  [Name in keyof MediaWork]: { requestId: number; name: Name; args: Parameters<MediaWork[Name]> };
}[keyof MediaWork];

export type FromWorker =
  | { type: "ready" }
  | { type: "done"; requestId: number; result: unknown }
  | { type: "failed"; requestId: number; unusableOffer: boolean; message: string }
  | { type: "recorded"; legId: string; samples: Int16Array }
  | { type: "browser-leg-state"; legId: string; state: BrowserLegState };
