import { type Query, QueryClient } from "@tanstack/react-query";
import { ProblemError } from "./problem-error.ts";

/** Retrying helps against a lost network or a failing server, not against a refusal. */
const mayPass = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 0 || error.status >= 500);

/** Refetches what failed without a response: the server is back. */
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

/**
 * TanStack Query drops an invalidation during a query's first fetch: the fetch continues, and its response, read before
 * the change, counts as fresh. Such a query is invalidated again after that response.
 */
const changedSinceAsked = new WeakSet<Query>();
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== "updated") return;
  const { query, action } = event;
  if (action.type === "invalidate" && query.state.data === undefined && query.state.fetchStatus !== "idle")
    changedSinceAsked.add(query);
  if (action.type === "success" && !action.manual && changedSinceAsked.delete(query))
    void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
});
