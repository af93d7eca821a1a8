import type { BrowserLegState, MediaPlane } from "./media-plane.ts";
import type { PromptEnd, TappedAudio } from "./room.ts";

/** The part of the media plane that runs in the worker, called by method name. */
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
  /**
   * `telephoneEventType`: the payload type that the far end was told to use for telephone events, if not the leg's own.
   */
  openCarrierLeg(options?: { telephoneEventType?: number }): ReturnType<MediaPlane["openCarrierLeg"]>;
  /**
   * Opens a leg for a browser whose connection another server carries. That server offers plain RTP, like a carrier,
   * and gets a plain RTP answer.
   */
  openRelayLeg(offer: string): ReturnType<MediaPlane["openBrowserLeg"]>;
}

/** The data that the worker is started with. */
export interface MediaWorkerData {
  publicAddress: string | null;
}

/** One method call on its way to the worker. */
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
