import { countInProgress } from "../count-in-progress.ts";
import { Problem } from "./problem.ts";

/** Fewer than the browser's connections to one server; its screens upload file by file. */
const mostEach = 3;
/** In this process: each upload takes room on the disk until its response. */
const mostAtOnce = 16;

interface Upload {
  /** The network that it comes from. */
  site: string;
  /** Breaks it off. Null once it has been received. */
  giveWay: (() => void) | null;
}

/**
 * Bounds what uploads take before any quota can be checked, as their size is only known once they have arrived. Slow
 * ones from one network can't keep others out: beyond `mostAtOnce`, the network with the most loses its newest.
 */
export function countUploadsInProgress() {
  const ofPerson = countInProgress(mostEach);
  /** Oldest first. */
  const inProgress = new Set<Upload>();

  /** False if no network has more than this one would have. */
  function makeRoomFor(site: string): boolean {
    const bySite = Map.groupBy(inProgress, (upload) => upload.site);
    const most = [...bySite.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
    const newest = most.findLast(({ giveWay }) => giveWay !== null);
    if (newest === undefined || most.length <= (bySite.get(site)?.length ?? 0) + 1) return false;
    inProgress.delete(newest);
    newest.giveWay?.();
    return true;
  }

  return {
    /** @throws limit-reached */
    begin({ userId, ...upload }: Upload & { userId: string }): { received(): void; end(): void } {
      const endOwn = ofPerson.begin(userId);
      if (!endOwn) throw tooMany(`You have ${mostEach} uploads in progress. Wait until one of them finishes.`);
      if (inProgress.size >= mostAtOnce && !makeRoomFor(upload.site)) {
        endOwn();
        throw tooMany("Leadline is receiving too many uploads right now. Try again in a moment.");
      }
      inProgress.add(upload);
      return {
        received() {
          upload.giveWay = null;
        },
        end() {
          endOwn();
          inProgress.delete(upload);
        },
      };
    },
  };
}

const tooMany = (sentence: string): Problem => new Problem("limit-reached", sentence, { retryAfterSeconds: 5 });
