import type { LeadImport, ListedImport } from "@leadline/contract/lead-imports";
import { QueryObserver } from "@tanstack/react-query";
import { toast } from "sonner";
import { leadImportQuery } from "./lead-import-query.ts";
import { leadsKey } from "./leads-query.ts";
import { ProblemError } from "./problem-error.ts";
import { queryClient } from "./query-client.ts";
import { showNotice } from "./show-notice.ts";

/** This tab started it, so it reports the end, on whatever page the user is by then. */
export function followStartedImport(id: string): void {
  const observer = new QueryObserver(queryClient, { ...leadImportQuery(id), refetchIntervalInBackground: true });
  const stop = observer.subscribe(({ data, error }) => {
    const isGone = error instanceof ProblemError && error.status === 404;
    if (isGone || (data !== undefined && data.state !== "running")) stop();
    if (!isGone && data !== undefined && data.finishedAt !== null) announceEnd(data);
  });
}

function announceEnd(ended: LeadImport): void {
  void queryClient.invalidateQueries({ queryKey: leadsKey });
  const { id, fileName, state, problem } = ended;
  const title = state === "failed" ? `${fileName} stopped partway.` : `${fileName} imported.`;
  const description = state === "failed" ? (problem ?? "") : importCounts(ended);
  showNotice({ about: "sync-ended", title, body: description, tag: id });
  const { pathname, search } = location;
  // Its own page shows it already.
  if (pathname === "/leads/import" && search.includes(id)) return;
  (state === "failed" ? toast.error : toast.success)(title, { description });
}

/** 450 new, 1 known already, 1 not imported. */
export function importCounts({ created, skipped, failed }: ListedImport): string {
  const counts = [
    [created, "new"],
    [skipped, "already known"],
    [failed, "not imported"],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString()} ${words}`);
  return told.join(", ");
}
