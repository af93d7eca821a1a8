import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Phone } from "lucide-react";
import { PageHeader } from "../../components/page-header.tsx";
import { useNow } from "../../components/use-now.ts";
import { meQuery } from "../../data/me-query.ts";
import { Button } from "../../ui/button.tsx";
import { DashboardSkeleton } from "./dashboard-skeleton.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { PeriodFiguresView } from "./period-figures-view.tsx";
import { useFirstSteps } from "./use-first-steps.ts";

export function DashboardScreen() {
  const me = useQuery(meQuery).data;
  const organisation = me?.activeOrganisation ?? null;
  const steps = useFirstSteps(organisation);
  const now = useNow();
  const undone = steps?.some(({ done }) => !done) ?? false;
  // A user without calls sees the first steps instead of zeros. Analysts have no steps to take.
  const readsOnly = organisation?.role === "analyst";
  const hasCalled = steps !== null && (steps.find(({ step }) => step.title === "Place a test call")?.done ?? false);
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-6">
      <PageHeader
        title={me ? `${greeting(now)}, ${me.firstName}` : greeting(now)}
        lead={organisation ? organisation.name : "Two steps to your first call."}
        action={
          hasCalled && !readsOnly ? (
            <Button asChild>
              <Link to="/calls">
                <Phone aria-hidden="true" /> Open the dial pad
              </Link>
            </Button>
          ) : null
        }
      />
      {steps === null ? (
        <DashboardSkeleton />
      ) : (
        <>
          {hasCalled || readsOnly ? <PeriodFiguresView /> : null}
          {undone ? <FirstSteps steps={steps} /> : null}
        </>
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
