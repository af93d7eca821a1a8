// @vitest-environment happy-dom
import type { Organisation } from "@leadline/contract/organisations";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { queryClient } from "../../data/query-client.ts";
import { stepsSeen } from "./steps-seen.ts";
import { useFirstSteps } from "./use-first-steps.ts";

afterEach(() => {
  cleanup();
  queryClient.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const organisation: Pick<Organisation, "id" | "role"> = { id: "harbour", role: "member" };
const doneOf = (steps: ReturnType<typeof useFirstSteps>) =>
  steps?.filter(({ done }) => done).map(({ step }) => step.title);

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });
function openDashboard({
  of = organisation,
  client = newClient(),
}: { of?: typeof organisation; client?: QueryClient } = {}) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useFirstSteps(of), { wrapper }).result;
}

/** The user has an organisation. `calls` is its call log. */
const serverAnswers = (calls: object[]) =>
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json(url.includes("/users/me") ? { activeOrganisation: organisation } : calls),
  );

test("a dashboard that is opened again is shown before the server responds; the first time it waits", () => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  expect(openDashboard().current).toBeNull();
  stepsSeen.keep("harbour", ["Create an organisation"]);
  expect(doneOf(openDashboard().current)).toEqual(["Create an organisation"]);
});

test("the server's response then replaces it, and is shown the next time", async () => {
  serverAnswers([{}]);
  stepsSeen.keep("harbour", []);
  const steps = openDashboard();
  expect(doneOf(steps.current)).toEqual([]);
  await waitFor(() => expect(doneOf(steps.current)).toEqual(["Create an organisation", "Place a test call"]));
  await waitFor(() => expect(stepsSeen.wasDone("harbour", "Place a test call")).toBe(true));
});

test("one organisation's steps aren't shown for another, even if they are still cached", async () => {
  serverAnswers([{}]);
  const client = newClient();
  const harbour = openDashboard({ client });
  await waitFor(() => expect(doneOf(harbour.current)).toContain("Place a test call"));
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  expect(openDashboard({ client, of: { id: "pilot", role: "member" } }).current).toBeNull();
});
