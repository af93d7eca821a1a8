import type { Call } from "@leadline/contract/calls";
import { PhoneOutgoing } from "lucide-react";
import { useNow } from "../../components/use-now.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import { RecentCallRow } from "./recent-call-row.tsx";

/** What of the query's result the list shows. */
interface CallLog {
  isPending: boolean;
  isFetching: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface RecentCallsProps {
  log: CallLog;
  calls: readonly Call[];
  onRedial: () => void;
}

export function RecentCalls({ log, calls, onRedial }: RecentCallsProps) {
  return (
    <Tabs defaultValue="recent">
      <TabList aria-label="Calls">
        <Tab value="recent">Recent</Tab>
      </TabList>
      <TabPanel value="recent" className="pt-3">
        <Content log={log} calls={calls} onRedial={onRedial} />
      </TabPanel>
    </Tabs>
  );
}

function Content({ log, calls, onRedial }: RecentCallsProps) {
  const now = useNow();
  if (log.isPending) return <RecentCallsSkeleton />;
  if (calls.length === 0 && log.isError) {
    return (
      <Notice
        title="Your calls could not be loaded"
        action={
          <Button tone="plain" size="small" busy={log.isFetching} onClick={() => log.refetch()}>
            Try again
          </Button>
        }
      >
        {problemDetail(log.error)}
      </Notice>
    );
  }
  if (calls.length === 0) {
    return (
      <EmptyState picture={<PhoneOutgoing className="size-6" aria-hidden="true" />} title="No calls yet">
        Your calls will stand here, newest first: whom you called, how it ended and how long you talked. Try +1 202 555
        0100, which answers and speaks.
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label="Recent calls" className="overflow-hidden rounded-md border border-line bg-panel">
        {calls.map((call) => (
          <RecentCallRow key={call.callSid} call={call} now={now} onRedial={onRedial} />
        ))}
      </ul>
      {log.isError ? (
        <p role="alert" className="mt-3 text-table text-fault">
          {problemDetail(log.error)}
        </p>
      ) : null}
      {log.hasNextPage ? (
        <div className="mt-3 flex justify-center">
          <Button tone="plain" size="small" busy={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
    </>
  );
}

function RecentCallsSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading calls" role="status" className="rounded-md border border-line bg-panel">
      {["a", "b", "c", "d", "e", "f"].map((row) => (
        <div key={row} className="flex h-12 items-center gap-4 border-b border-line px-4 last:border-b-0">
          <Skeleton className="size-4" />
          <Skeleton className="w-40" />
          <Skeleton className="ml-auto w-24" />
        </div>
      ))}
    </div>
  );
}
