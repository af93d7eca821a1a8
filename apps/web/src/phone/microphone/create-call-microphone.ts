import type { CallDriver } from "../drivers/call-driver.ts";
import { type Devices, wantedMicrophoneId } from "./create-devices.ts";

/** The microphone of the call on this page: opened with the call, switched during it, closed with it. */
export function createCallMicrophone(driver: Pick<CallDriver, "setMicrophone">, devices: Devices) {
  let track: MediaStreamTrack | null = null;
  let muted = false;
  let wanted = false;
  let openedId: string | null = null;

  async function put(next: MediaStreamTrack | null): Promise<void> {
    const former = track;
    track = next;
    if (next) {
      next.enabled = !muted;
      // Unplugged: the system's current default replaces it.
      next.addEventListener("ended", () => {
        if (track === next && wanted) void open().catch(() => {});
      });
    }
    await driver.setMicrophone(next);
    former?.stop();
  }

  async function open(): Promise<void> {
    wanted = true;
    await devices.whenReady;
    openedId = wantedMicrophoneId(devices.getState());
    const opened = await devices.open();
    if (wanted) await put(opened);
    else opened.stop();
  }

  devices.subscribe(() => {
    if (wanted && track && wantedMicrophoneId(devices.getState()) !== openedId) void open().catch(() => {});
  });

  return {
    /** Throws MicrophoneUnavailable. */
    open,
    close(): void {
      wanted = false;
      void put(null);
    },
    setMuted(next: boolean): void {
      muted = next;
      if (track) track.enabled = !next;
    },
    /** Open, being opened, or refused since it was last closed. */
    isWanted: (): boolean => wanted,
  };
}
export type CallMicrophone = ReturnType<typeof createCallMicrophone>;
