import { useQueries } from "@tanstack/react-query";
import { type FirstStep, firstSteps } from "./first-steps-list.tsx";

export interface StepState {
  step: FirstStep;
  done: boolean;
}

/** Which of the first steps are done; null until known. One that cannot be looked up counts as done: it would nag in vain. */
export function useFirstSteps({ hasOrganisation }: { hasOrganisation: boolean }): StepState[] | null {
  const answers = useQueries({
    queries: firstSteps.map((step) => ({
      queryKey: [...step.follows, "first-step", step.title],
      queryFn: step.isDone,
      // Without an organisation none is done, and the server has nothing to tell.
      enabled: hasOrganisation,
    })),
  });
  if (hasOrganisation && answers.some((answer) => answer.isPending)) return null;
  return firstSteps.map((step, index) => ({ step, done: hasOrganisation && (answers[index]?.data ?? true) }));
}
