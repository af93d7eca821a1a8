import type { Organisation } from "@leadline/contract/organisations";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { isAdmin } from "../../components/use-own-role.ts";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { type FirstStep, firstSteps } from "./first-steps-list.tsx";

export interface StepState {
  step: FirstStep;
  done: boolean;
}

type Role = Pick<Organisation, "role">;

const stepsOf = (organisation: Role | null): FirstStep[] =>
  firstSteps.filter((step) => !step.forAdmins || organisation === null || isAdmin(organisation.role));

const stepQuery = (step: FirstStep) =>
  queryOptions({ queryKey: [...step.follows, "first-step", step.title], queryFn: step.isDone });

/** Asks as soon as it is known who is here, while the frame around the page is still being drawn. */
export async function prefetchFirstSteps(): Promise<void> {
  const { activeOrganisation } = await queryClient.ensureQueryData(meQuery);
  if (activeOrganisation)
    for (const step of stepsOf(activeOrganisation)) void queryClient.prefetchQuery(stepQuery(step));
}

/** Which of the first steps are done; null until known. One that cannot be looked up counts as done: it would nag in vain. */
export function useFirstSteps(organisation: Role | null): StepState[] | null {
  const steps = stepsOf(organisation);
  // Without an organisation none is done, and the server has nothing to tell.
  const enabled = organisation !== null;
  const answers = useQueries({ queries: steps.map((step) => ({ ...stepQuery(step), enabled })) });
  if (organisation !== null && answers.some((answer) => answer.isPending)) return null;
  return steps.map((step, index) => ({ step, done: organisation !== null && (answers[index]?.data ?? true) }));
}
