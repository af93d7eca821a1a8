import { Problem } from "./problem.ts";

/** Fewer than the browser's connections to one server; its screens upload file by file. */
const mostEach = 3;
/** In this process: each upload takes room on the disk until its response. */
const mostAtOnce = 16;

/** Bounds what uploads take before any quota can be checked, as their size is only known once they have arrived. */
export function countUploadsInProgress() {
  const ofPerson = new Map<string, number>();
  let inProgress = 0;
  return {
    /** Returns a function that ends the upload. @throws limit-reached */
    begin(userId: string): () => void {
      const own = ofPerson.get(userId) ?? 0;
      if (own >= mostEach) throw tooMany(`You have ${mostEach} uploads in progress. Wait until one of them finishes.`);
      if (inProgress >= mostAtOnce)
        throw tooMany("Leadline is receiving too many uploads right now. Try again in a moment.");
      ofPerson.set(userId, own + 1);
      inProgress += 1;
      return () => {
        inProgress -= 1;
        const left = (ofPerson.get(userId) ?? 1) - 1;
        if (left === 0) ofPerson.delete(userId);
        else ofPerson.set(userId, left);
      };
    },
  };
}

const tooMany = (sentence: string): Problem => new Problem("limit-reached", sentence, { retryAfterSeconds: 5 });
