import { QueryClient } from "@tanstack/react-query";
import { ProblemError } from "./problem-error.ts";

/** Trying again helps against a cut network or a failing server, not against a refusal. */
const mayPass = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 0 || error.status >= 500);

/** What failed for want of an answer is asked for again: the server is back. */
export const refetchUnanswered = (): Promise<void> =>
  queryClient.refetchQueries({
    type: "active",
    predicate: ({ state }) => state.fetchStatus === "idle" && mayPass(state.error),
  });

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && mayPass(error),
    },
    mutations: { retry: false },
  },
});
