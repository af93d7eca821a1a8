import type { BrowserLegState, MediaPlane } from "./media-plane.ts";
import type { PromptEnd, TappedAudio } from "./room.ts";

/** The parts of the media plane that are carried out in the worker, called by name. */
export interface MediaWork extends Omit<
  MediaPlane,
  | "carriesBrowsers"
  | "openCarrierLeg"
  | "onBrowserLegState"
  | "onTapped"
  | "onPromptEnd"
  | "snapshot"
  | "restore"
  | "shutDown"
> {
  /** `telephoneEventType`: the number by which the far end was asked to send keys, where that is not the leg's own. */
  openCarrierLeg(options?: { telephoneEventType?: number }): ReturnType<MediaPlane["openCarrierLeg"]>;
  /** Of a browser whose connection another server carries: that offers plain RTP, as to a carrier, and so is answered. */
  openRelayLeg(offer: string): ReturnType<MediaPlane["openBrowserLeg"]>;
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
  | { type: "failed"; requestId: number; error: string; message: string }
  | ({ type: "tapped" } & TappedAudio)
  | ({ type: "prompt-end" } & PromptEnd)
  | { type: "browser-leg-state"; legId: string; state: BrowserLegState };
