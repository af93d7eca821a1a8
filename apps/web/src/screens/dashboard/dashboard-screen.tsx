import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Phone } from "lucide-react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useNow } from "../../components/use-now.ts";
import { recentCallsQuery } from "../../data/calls-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { Button } from "../../ui/button.tsx";
import { CallsByHour } from "./calls-by-hour.tsx";
import { DashboardSkeleton } from "./dashboard-skeleton.tsx";
import { Figures } from "./figures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { RecentCalls } from "./recent-calls.tsx";

/** As many as one page may hold: the figures are computed from them. */
const callsRead = 200;

export function DashboardScreen() {
  const me = useQuery(meQuery).data;
  const organisation = me?.activeOrganisation ?? null;
  const calls = useQuery({ ...recentCallsQuery(callsRead), enabled: organisation !== null });
  const now = useNow();
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-6">
      <PageHeader
        title={me ? `${greeting(now)}, ${me.firstName}` : greeting(now)}
        lead={organisation ? organisation.name : "Two steps and you are talking."}
        action={
          calls.data && calls.data.length > 0 ? (
            <Button asChild>
              <Link to="/calls">
                <Phone aria-hidden="true" /> Open the dial pad
              </Link>
            </Button>
          ) : null
        }
      />
      {organisation === null ? (
        <FirstSteps hasOrganisation={false} hasCalled={false} />
      ) : calls.data ? (
        <>
          {calls.data.length === 0 ? <FirstSteps hasOrganisation hasCalled={false} /> : null}
          {calls.data.length > 0 ? (
            <>
              <Figures calls={calls.data} complete={calls.data.length < callsRead} now={now} />
              <CallsByHour calls={calls.data} now={now} />
            </>
          ) : null}
          <RecentCalls calls={calls.data.slice(0, 8)} now={now} />
        </>
      ) : calls.isError ? (
        <LoadFailed
          what="Your calls"
          error={calls.error}
          retrying={calls.isFetching}
          onRetry={() => void calls.refetch()}
        />
      ) : (
        <DashboardSkeleton />
      )}
    </div>
  );
}

function greeting(now: Date): string {
  const hour = now.getHours();
  if (hour < 5) return "Good night";
  if (hour < 12) return "Good morning";
  return hour < 18 ? "Good afternoon" : "Good evening";
}
