// @vitest-environment happy-dom
import { Outlet } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { PageOrganisation } from "../../components/use-page-organisation.ts";
import { meQuery } from "../../data/me-query.ts";
import { quay } from "../../data/testing/some-organisation.ts";
import { session } from "../../data/session.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { GeneralScreen } from "./general-screen.tsx";

afterEach(() => {
  cleanup();
  session.clear();
  vi.unstubAllGlobals();
});

const harbour = { ...quay, id: "0f1b9e2e-5a0a-4c3e-9d57-0a4e7f6f3b22", name: "Harbour" };

test("a name typed for the page's organisation isn't saved for one switched to in another tab", async () => {
  session.store({ accessToken: "access", refreshToken: "refresh" });
  const fetched = vi.fn<(url: string) => Promise<Response>>(async () => Response.json(quay));
  vi.stubGlobal("fetch", fetched);
  const known = [[meQuery.queryKey, { id: "robin", activeOrganisation: harbour }]] as const;
  await showScreens({
    at: "/settings/general",
    screens: { "/settings/general": GeneralScreen },
    layout: () => (
      <PageOrganisation value={quay}>
        <Outlet />
      </PageOrganisation>
    ),
    known,
  });
  fireEvent.input(screen.getByLabelText("Name"), { target: { value: "Quay West" } });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Save changes" })));
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  expect(String(fetched.mock.calls[0]?.[0])).toContain(quay.id);
});
