import { countInProgress } from "../count-in-progress.ts";
import { Problem } from "./problem.ts";

/** Fewer than the browser's connections to one server; its screens upload file by file. */
const mostEach = 3;
/** In this process: each upload takes room on the disk until its response. */
const mostAtOnce = 16;

/** Bounds what uploads take before any quota can be checked, as their size is only known once they have arrived. */
export function countUploadsInProgress() {
  const ofPerson = countInProgress(mostEach);
  const ofAll = countInProgress(mostAtOnce);
  return {
    /** Returns a function that ends the upload. @throws limit-reached */
    begin(userId: string): () => void {
      const endOwn = ofPerson.begin(userId);
      if (!endOwn) throw tooMany(`You have ${mostEach} uploads in progress. Wait until one of them finishes.`);
      const end = ofAll.begin("");
      if (!end) {
        endOwn();
        throw tooMany("Leadline is receiving too many uploads right now. Try again in a moment.");
      }
      return () => {
        endOwn();
        end();
      };
    },
  };
}

const tooMany = (sentence: string): Problem => new Problem("limit-reached", sentence, { retryAfterSeconds: 5 });
