import { endOtherSessions, endSession, listSessions, type Session } from "@leadline/contract/sessions";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LogOut, MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { formatDate, formatFullTime, formatWhen } from "../../components/format-time.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useNow } from "../../components/use-now.ts";
import { request } from "../../data/api-client.ts";
import { queryClient } from "../../data/query-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { nameDevice } from "../../components/name-device.ts";

const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => request(listSessions, {}, { signal }),
});
const readAgain = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });

export function SessionsScreen() {
  const sessions = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<Session | "others" | null>(null);
  const others = sessions.data?.filter((session) => !session.current) ?? [];
  const current = sessions.data?.filter((session) => session.current) ?? [];
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Sessions"
        lead="Where you’re logged in. If you don’t recognise a session, end it and change your password."
        action={
          others.length > 0 ? (
            <Button tone="danger" onClick={() => setEnding("others")}>
              <LogOut aria-hidden="true" /> End all others
            </Button>
          ) : null
        }
      />
      {sessions.data ? (
        <ul aria-label="Your sessions" className="max-w-[720px] rounded-md border border-line bg-panel">
          {[...current, ...others].map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
          ))}
        </ul>
      ) : sessions.isError ? (
        <LoadFailed what="Your sessions" query={sessions} />
      ) : (
        <div
          role="status"
          aria-label="Loading your sessions"
          className="max-w-[720px] rounded-md border border-line bg-panel p-5"
        >
          <Skeleton className="w-56" />
          <Skeleton className="mt-3 w-80 max-w-full" />
        </div>
      )}
      {ending === "others" ? (
        <ConfirmDialog
          title="End all other sessions?"
          action="End sessions"
          run={() => request(endOtherSessions, {})}
          onDone={() => {
            toast.success("You’re only logged in here.");
            void readAgain();
          }}
          onClose={() => setEnding(null)}
        >
          This logs out every other device and browser, and ends their calls.
        </ConfirmDialog>
      ) : ending ? (
        <ConfirmDialog
          title={`End the session of ${nameDevice(ending.userAgent)}?`}
          action="End session"
          run={() => request(endSession, { params: { id: ending.id } })}
          onDone={() => {
            toast.success("Session ended.");
            void readAgain();
          }}
          onClose={() => setEnding(null)}
        >
          This logs the device out. Logging in again requires your password.
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const now = useNow();
  const device = nameDevice(session.userAgent);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-b-0">
      <MonitorSmartphone className="size-5 shrink-0 text-ink-soft max-md:hidden" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="truncate">{device}</span>
          {session.current ? <Badge tone="brass">This session</Badge> : null}
        </p>
        <p className="text-table text-ink-soft tabular-nums">
          {session.ipAddress ? `${session.ipAddress} · ` : ""}
          {session.current ? (
            "active now"
          ) : (
            <time dateTime={session.lastUsedAt} title={formatFullTime(session.lastUsedAt)}>
              last active {formatWhen(session.lastUsedAt, now)}
            </time>
          )}
          {` · since ${formatDate(session.createdAt)}`}
        </p>
      </div>
      {session.current ? (
        <Button asChild tone="plain" size="small">
          <Link to="/logout" preload={false}>
            Log out
          </Link>
        </Button>
      ) : (
        <Button tone="plain" size="small" aria-label={`End the session of ${device}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
