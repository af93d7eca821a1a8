import { type NgAnswer, NodeRefused, type NgRequest, NodeSilent } from "./ng-client.ts";
import { asPlayed } from "./audio-files.ts";
import { type Done, isDone, initialState, unknownFor, type DesiredState } from "./desired-state.ts";

type Ask = (command: string, given: NgRequest) => Promise<NgAnswer>;

/** Tracks what an rtpengine does with a session's two parties, and sends the commands that are missing. */
export function createStateApplier(ask: Ask, tags: () => { near: string; far: string }) {
  let done: Done = initialState;

  /**
   * A command that got no answer may still have been carried out: only an answered one leaves the rtpengine in a known
   * state.
   */
  async function send(change: Partial<DesiredState>, command: string, given: NgRequest): Promise<void> {
    try {
      await ask(command, given);
    } catch (error) {
      if (error instanceof NodeSilent) done = { ...done, ...unknownFor(change) };
      throw error;
    }
    done = { ...done, ...change };
  }

  /** An rtpengine that plays nothing refuses to stop. */
  async function stopPlaying(far: NgRequest): Promise<void> {
    await send({ playing: null }, "stop media", far).catch((error: unknown) => {
      if (!(error instanceof NodeRefused)) throw error;
      done = { ...done, playing: null };
    });
  }

  return {
    done: (): Done => done,
    /** Records a change that other commands have made. */
    note: (changed: Partial<Done>): void => void (done = { ...done, ...changed }),
    isDone: (wanted: DesiredState): boolean => isDone(done, wanted),
    /** Null: leave it as it is. */
    async apply(wanted: DesiredState | null): Promise<void> {
      if (!wanted) return;
      const [near, far] = [{ "from-tag": tags().near }, { "from-tag": tags().far }];
      const { playing } = done;
      if (playing !== null && playing !== wanted.playing) await stopPlaying(far);
      const { blocksNear, blocksFar, silencesNear } = wanted;
      // Before anything is unblocked: otherwise a muted rep would be heard for a moment as the call leaves hold.
      if (silencesNear && done.silencesNear !== true) await send({ silencesNear }, "silence media", near);
      if (blocksNear !== done.blocksNear)
        await send({ blocksNear }, blocksNear ? "block media" : "unblock media", near);
      if (blocksFar !== done.blocksFar) await send({ blocksFar }, blocksFar ? "block media" : "unblock media", far);
      if (silencesNear !== done.silencesNear) await send({ silencesNear }, "unsilence media", near);
      if (wanted.playing !== null && playing !== wanted.playing) {
        await send({ playing: wanted.playing }, "play media", { ...far, ...asPlayed(wanted.playing) });
      }
    },
  };
}
