// @vitest-environment happy-dom
import type { SyncProgress } from "@leadline/contract/integrations";
import { InfiniteQueryObserver } from "@tanstack/react-query";
import { toast } from "sonner";
import { expect, onTestFinished, test, vi } from "vitest";
import { showSyncProgress } from "./follow-integration-events.ts";
import { leadListQuery } from "./leads-query.ts";
import { queryClient } from "./query-client.ts";
import { noteSyncStarted } from "./started-syncs.ts";

const run: SyncProgress = {
  id: "a-run",
  integrationId: "an-integration",
  status: "running",
  createdAt: "2031-05-06T07:00:00Z",
  endedAt: null,
  retryAt: null,
  total: null,
  problem: null,
  read: 0,
  created: 0,
  updated: 0,
  deleted: 0,
  failed: 0,
};

test("a sync is reported done once the visible list has its last leads", async () => {
  const done = vi.spyOn(toast, "success");
  const readings: ((leads: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => readings.push(resolve)));
  const list = new InfiniteQueryObserver(queryClient, leadListQuery({ search: "", status: undefined, sort: "newest" }));
  const stop = list.subscribe(() => {});
  onTestFinished(() => {
    stop();
    queryClient.clear();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const lead = { id: "a-lead", firstName: "Ann", lastName: "Lo", email: "ann@lo.example", phone: "+12025550100" };

  noteSyncStarted(run);
  showSyncProgress({ ...run, read: 1, created: 1 });
  await vi.waitFor(() => expect(readings).toHaveLength(1));
  readings[0]?.(Response.json([]));
  await vi.waitFor(() => expect(list.getCurrentResult().data?.pages[0]?.items).toEqual([]));
  expect(done).not.toHaveBeenCalled();

  showSyncProgress({ ...run, read: 1, created: 1, status: "completed", endedAt: "2031-05-06T07:00:01Z" });
  await vi.waitFor(() => expect(readings).toHaveLength(2));
  expect(done).not.toHaveBeenCalled();
  readings[1]?.(Response.json([lead]));
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
  expect(list.getCurrentResult().data?.pages[0]?.items).toMatchObject([{ id: "a-lead" }]);
});
