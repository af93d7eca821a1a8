import { type NgAnswer, NodeRefused, type NgRequest, NodeSilent } from "./ng-client.ts";
import { asPlayed } from "./sound-files.ts";
import { type Done, isDone, noWishes, unknownOf, type Wishes } from "./wishes.ts";

type Ask = (command: string, given: NgRequest) => Promise<NgAnswer>;

/** Keeps what a node does with a session's two parties, and has it do what it lacks. */
export function carryOutWishes(ask: Ask, tags: () => { near: string; far: string }) {
  let done: Done = noWishes;

  /** A command that got no answer may have been carried out: only one that is answered leaves the node in a known state. */
  async function bring(deed: Partial<Wishes>, command: string, given: NgRequest): Promise<void> {
    try {
      await ask(command, given);
    } catch (error) {
      if (error instanceof NodeSilent) done = { ...done, ...unknownOf(deed) };
      throw error;
    }
    done = { ...done, ...deed };
  }

  /** A node that plays nothing refuses to stop. */
  async function stopPlaying(far: NgRequest): Promise<void> {
    await bring({ playing: null }, "stop media", far).catch((error: unknown) => {
      if (!(error instanceof NodeRefused)) throw error;
      done = { ...done, playing: null };
    });
  }

  return {
    done: (): Done => done,
    /** It is known to do this by other means. */
    note: (changed: Partial<Done>): void => void (done = { ...done, ...changed }),
    isDone: (wanted: Wishes): boolean => isDone(done, wanted),
    /** Null: as it is. */
    async fulfil(wanted: Wishes | null): Promise<void> {
      if (!wanted) return;
      const [near, far] = [{ "from-tag": tags().near }, { "from-tag": tags().far }];
      const { playing } = done;
      if (playing !== null && playing !== wanted.playing) await stopPlaying(far);
      const { blocksNear, blocksFar, silencesNear } = wanted;
      // Before anybody is let through: a muted rep whose call leaves hold is not heard for a moment.
      if (silencesNear && done.silencesNear !== true) await bring({ silencesNear }, "silence media", near);
      if (blocksNear !== done.blocksNear)
        await bring({ blocksNear }, blocksNear ? "block media" : "unblock media", near);
      if (blocksFar !== done.blocksFar) await bring({ blocksFar }, blocksFar ? "block media" : "unblock media", far);
      if (silencesNear !== done.silencesNear) await bring({ silencesNear }, "unsilence media", near);
      if (wanted.playing !== null && playing !== wanted.playing) {
        await bring({ playing: wanted.playing }, "play media", { ...far, ...asPlayed(wanted.playing) });
      }
    },
  };
}
