import type { SyncRun } from "@leadline/contract/integrations";

export const runOutcomes = {
  queued: { words: "Waiting", tone: "plain" },
  running: { words: "Running", tone: "brass" },
  completed: { words: "Done", tone: "brand" },
  failed: { words: "Failed", tone: "fault" },
} as const satisfies Record<SyncRun["status"], { words: string; tone: string }>;

export const startedBy = ({ scheduled, comparesAll }: SyncRun): string =>
  scheduled ? (comparesAll ? "Weekly full sync" : "Scheduled") : "Started manually";
