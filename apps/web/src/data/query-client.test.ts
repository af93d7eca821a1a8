import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { noConnectionProblem, ProblemError } from "./problem-error.ts";
import { queryClient, refetchUnanswered } from "./query-client.ts";

afterEach(() => queryClient.clear());

const refusal = new ProblemError({ code: "not-found", title: "Not found", detail: "It is gone.", status: 404 });

test("a request without a response is repeated once the server is back, and a refused one isn't", async () => {
  const asked = { unanswered: 0, refused: 0 };
  const ask = (what: keyof typeof asked, error: ProblemError) => async () => {
    asked[what] += 1;
    if (asked[what] === 1) throw error;
    return "there";
  };
  const observe = (what: keyof typeof asked, error: ProblemError) =>
    new QueryObserver(queryClient, { queryKey: [what], queryFn: ask(what, error), retry: false }).subscribe(() => {});
  const stops = [observe("unanswered", noConnectionProblem()), observe("refused", refusal)];
  const isSettled = () =>
    queryClient
      .getQueryCache()
      .getAll()
      .every(({ state }) => state.status === "error");
  await vi.waitFor(() => expect(isSettled()).toBe(true));
  await refetchUnanswered();
  expect(asked).toEqual({ unanswered: 2, refused: 1 });
  expect(queryClient.getQueryData(["unanswered"])).toBe("there");
  for (const stop of stops) stop();
});

test("refetches what changed during its first fetch", async () => {
  const answers: ((leads: string[]) => void)[] = [];
  const read = () => new Promise<string[]>((resolve) => void answers.push(resolve));
  const stop = new QueryObserver(queryClient, { queryKey: ["leads"], queryFn: read }).subscribe(() => {});
  void queryClient.invalidateQueries({ queryKey: ["leads"] });
  answers[0]?.(["deleted meanwhile"]);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.([]);
  await vi.waitFor(() => expect(queryClient.getQueryData(["leads"])).toEqual([]));
  expect(answers).toHaveLength(2);
  stop();
});
