// @vitest-environment happy-dom
import { Link } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { membersQuery } from "../../data/members-query.ts";
import { session } from "../../data/session.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { NewLeadScreen } from "./new-lead-screen.tsx";

beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
  vi.unstubAllGlobals();
});

const me = { id: "robin", activeOrganisation: { id: "harbour", name: "Harbour", role: "owner" } };
const bob = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
const press = (role: "button" | "link", name: string) =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));

/** Fills in and submits a new lead. The server responds when told to. */
async function startSaving() {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const fetched = vi.fn<() => Promise<Response>>(() => promise);
  vi.stubGlobal("fetch", fetched);
  const { router } = await showScreens({
    at: "/leads/new",
    screens: {
      "/leads/new": () => (
        <>
          <Link to="/calls">Calls</Link>
          <NewLeadScreen />
        </>
      ),
      "/leads": () => <h1>Leads</h1>,
      "/leads/import": () => null,
      "/calls": () => <h1>Calls</h1>,
    },
    known: [
      [meQuery.queryKey, me],
      [membersQuery.queryKey, []],
    ],
  });
  for (const [label, value] of [
    ["First name", bob.firstName],
    ["Last name", bob.lastName],
    ["Email", bob.email],
    ["Phone", bob.phone],
  ] as const)
    fireEvent.input(screen.getByLabelText(label), { target: { value } });
  await press("button", "Add lead");
  await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  const saved = {
    ...bob,
    id: "7d1b9e2e-5a0a-4c3e-9d57-0a4e7f6f3b11",
    phoneNumber: bob.phone,
    status: "New",
    followUpOn: null,
    integrationId: null,
    doNotCall: false,
    company: "",
    jobTitle: "",
    owner: null,
    lastCalledAt: null,
    nextStep: "",
    crmUrl: null,
    createdAt: "2026-01-14T10:00:00Z",
    updatedAt: "2026-01-14T10:00:00Z",
  };
  return { router, answer: () => act(async () => resolve(Response.json(saved, { status: 201 }))) };
}

test("saving a new lead opens the list", async () => {
  const { router, answer } = await startSaving();
  await answer();
  await waitFor(() => expect(router.state.location.pathname).toBe("/leads"));
});

test("a user who left while it was being saved isn't taken back", async () => {
  const { router, answer } = await startSaving();
  await press("link", "Calls");
  await press("button", "Leave");
  await screen.findByRole("heading", { name: "Calls" });
  await answer();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(router.state.location.pathname).toBe("/calls");
});
