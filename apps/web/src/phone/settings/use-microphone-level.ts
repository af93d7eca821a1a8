import { useEffect, useState } from "react";
import { measureLevel } from "../microphone/measure-level.ts";
import { usePhone } from "../phone-context.ts";

export interface MicrophoneTrial {
  /** 0 to 1; null while no microphone is open. */
  level: number | null;
  /** The browser is still asking for permission. */
  opening: boolean;
}

/** Opens the chosen microphone while mounted, only to show its level. */
export function useMicrophoneLevel(microphoneId: string | undefined): MicrophoneTrial {
  const { devices } = usePhone();
  const [trial, setTrial] = useState<MicrophoneTrial>({ level: null, opening: true });

  useEffect(() => {
    let stop: (() => void) | null = null;
    let mounted = true;
    async function listen(): Promise<void> {
      try {
        const track = await devices.open(microphoneId);
        if (!mounted) return track.stop();
        const stopMeasuring = measureLevel(track, (level) => setTrial({ level, opening: false }));
        stop = () => {
          stopMeasuring();
          track.stop();
        };
        setTrial({ level: 0, opening: false });
      } catch {
        // The devices' state contains the reason.
        if (mounted) setTrial({ level: null, opening: false });
      }
    }
    void listen();
    return () => {
      mounted = false;
      stop?.();
    };
  }, [devices, microphoneId]);
  return trial;
}
