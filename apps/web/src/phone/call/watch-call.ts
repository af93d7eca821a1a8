import { isLiveStreamLost } from "../../data/live-events.ts";
import { serverAnswers } from "../../data/wait-for-server.ts";
import type { CallDriver } from "../drivers/call-driver.ts";
import { nothingHeard } from "../quality/judge-sound.ts";
import { watchLoss } from "../quality/watch-loss.ts";
import { watchSound } from "../quality/watch-sound.ts";
import { hasTwoWayAudio } from "./phone-state.ts";
import type { PhoneStore } from "./phone-store.ts";

/** Checks the audio of a call while it's here. Returns a function that stops it. */
export function watchCall({ state, set }: PhoneStore, driver: CallDriver): () => void {
  const stopJudging = watchSound({
    driver,
    isListening: () => !state().muted && hasTwoWayAudio(state()),
    onJudgement: (sound) => set({ sound: hasTwoWayAudio(state()) ? sound : nothingHeard }),
  });
  const stopLooking = watchLoss({
    driver,
    expectsSound: () => hasTwoWayAudio(state()),
    isStreamLost: isLiveStreamLost,
    asksServer: () => serverAnswers({ withinMs: 1_000 }),
    onChange: (connectionLost) => set({ connectionLost }),
  });
  return () => {
    stopJudging();
    stopLooking();
  };
}
