import { z } from "zod";
import { defineJob, type Job } from "../../jobs/define-job.ts";
import type { FileStore } from "./file-store.ts";

const Data = z.object({ storedNames: z.array(z.string()) });
export type RemoveStoredFilesJob = Job<typeof Data>;

/** For bytes whose rows a transaction deleted: it orders the job, so that a rollback keeps them and a crash doesn't. */
export const removeStoredFilesJob = (
  { store }: { store: Pick<FileStore, "remove"> },
  name = "remove-stored-files",
): RemoveStoredFilesJob =>
  defineJob({
    name,
    schema: Data,
    retries: 12,
    async run({ storedNames }) {
      for (const storedName of storedNames) await store.remove(storedName);
    },
  });
