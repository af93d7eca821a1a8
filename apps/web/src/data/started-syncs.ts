import type { SyncRun } from "@leadline/contract/integrations";
import { showNotice } from "./show-notice.ts";

/** Runs that this tab started: it reports their end, on whatever page the user is by then. */
const startedHere = new Set<string>();

export function noteSyncStarted(run: SyncRun): void {
  startedHere.add(run.id);
  noteSyncRun(run);
}

/** Called with every state of a run that reaches this tab, by event or by response. */
export function noteSyncRun(run: SyncRun): void {
  if (run.endedAt === null || !startedHere.delete(run.id)) return;
  const failed = run.status === "failed";
  showNotice({
    about: "sync-ended",
    title: failed ? "The sync failed." : "Successfully synced leads.",
    body: failed ? (run.problem ?? "") : changesOf(run),
    tag: run.id,
  });
  // A failure is shown in its row, where the user can act on it.
  if (run.status === "completed") void announceSync(changesOf(run));
}

async function announceSync(description: string): Promise<void> {
  const { toast } = await import("../ui/late-toast.ts");
  toast.success("Successfully synced leads.", { description });
}

/** 250 new, 3 changed, 1 deleted. */
export function changesOf({ created, updated, deleted, kept = 0, failed }: SyncRun): string {
  const counts = [
    [created, "new"],
    [updated, "changed"],
    [deleted, "deleted"],
    [kept, "deleted there, kept here"],
    [failed, "without a name left out"],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString()} ${word}`);
  return told.length > 0 ? told.join(", ") : "No changes";
}
