import type { Organisation } from "@leadline/contract/organisations";
import { useQueries } from "@tanstack/react-query";
import { isAdmin } from "../../components/use-own-role.ts";
import { type FirstStep, firstSteps } from "./first-steps-list.tsx";

export interface StepState {
  step: FirstStep;
  done: boolean;
}

/** Which of the first steps are done; null until known. One that cannot be looked up counts as done: it would nag in vain. */
export function useFirstSteps(organisation: Pick<Organisation, "role"> | null): StepState[] | null {
  const steps = firstSteps.filter((step) => !step.forAdmins || organisation === null || isAdmin(organisation.role));
  const answers = useQueries({
    queries: steps.map((step) => ({
      queryKey: [...step.follows, "first-step", step.title],
      queryFn: step.isDone,
      // Without an organisation none is done, and the server has nothing to tell.
      enabled: organisation !== null,
    })),
  });
  if (organisation !== null && answers.some((answer) => answer.isPending)) return null;
  return steps.map((step, index) => ({ step, done: organisation !== null && (answers[index]?.data ?? true) }));
}
