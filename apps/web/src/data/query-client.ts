import { QueryClient } from "@tanstack/react-query";
import { ProblemError } from "./problem-error.ts";

/** Trying again helps against a cut network or a failing server, not against a refusal. */
const mayPass = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 0 || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && mayPass(error),
    },
    mutations: { retry: false },
  },
});
