import type { Organisation } from "@leadline/contract/organisations";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import { isAdmin } from "../../components/use-own-role.ts";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { type FirstStep, firstSteps } from "./first-steps-list.tsx";
import { stepsSeen } from "./steps-seen.ts";

export interface StepState {
  step: FirstStep;
  done: boolean;
}

type Role = Pick<Organisation, "role">;

/** An analyst can take none of these steps. */
const stepsOf = (organisation: Role | null): FirstStep[] =>
  (organisation?.role === "analyst" ? [] : firstSteps).filter(
    (step) => !step.forAdmins || organisation === null || isAdmin(organisation.role),
  );

/** Never use one organisation's response for another. */
const stepQuery = (step: FirstStep, organisationId: string | null) =>
  queryOptions({ queryKey: [...step.follows, "first-step", organisationId, step.title], queryFn: step.isDone });

/** Requests as soon as the user is known, while the page is still loading. */
export async function prefetchFirstSteps(): Promise<void> {
  const { activeOrganisation } = await queryClient.ensureQueryData(meQuery);
  if (activeOrganisation)
    for (const step of stepsOf(activeOrganisation))
      void queryClient.prefetchQuery(stepQuery(step, activeOrganisation.id));
}

/**
 * Which of the first steps are complete. Null until known. A step that can't be looked up counts as complete. Until the
 * server responds, shows what this tab saw last, so that reopening the page doesn't wait.
 */
export function useFirstSteps(organisation: Pick<Organisation, "id" | "role"> | null): StepState[] | null {
  const steps = stepsOf(organisation);
  const answers = useQueries({
    queries: steps.map((step) => ({
      ...stepQuery(step, organisation?.id ?? null),
      // Without an organisation no step is complete, and there is nothing to ask the server.
      enabled: organisation !== null,
      placeholderData: () => (organisation === null ? undefined : stepsSeen.wasDone(organisation.id, step.title)),
    })),
  });
  const areKnown = answers.every((answer) => answer.isSuccess && !answer.isPlaceholderData);
  const done = steps.filter((_, index) => answers[index]?.data).map(({ title }) => title);
  useEffect(() => {
    if (organisation !== null && areKnown) stepsSeen.keep(organisation.id, done);
  });
  if (organisation !== null && answers.some((answer) => answer.isPending)) return null;
  return steps.map((step, index) => ({ step, done: organisation !== null && (answers[index]?.data ?? true) }));
}
