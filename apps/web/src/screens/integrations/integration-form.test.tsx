// @vitest-environment happy-dom
import { Link } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { session } from "../../data/session.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { IntegrationForm } from "./integration-form.tsx";

beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
});

const openForm = () =>
  showScreens({
    at: "/integrations/new",
    screens: {
      "/integrations/new": () => (
        <>
          <Link to="/calls">Calls</Link>
          <IntegrationForm services={[]} />
        </>
      ),
      "/integrations": () => null,
      "/calls": () => <h1>Calls</h1>,
    },
  });
const typeLabel = (label: string) =>
  act(async () => fireEvent.input(screen.getByLabelText("Label"), { target: { value: label } }));
const goToCalls = () => act(async () => fireEvent.click(screen.getByRole("link", { name: "Calls" })));
const question = () => screen.queryByRole("dialog", { name: "Leave without saving?" });

test("a label that is typed and taken back leaves nothing to ask about; one that stands does", async () => {
  const { router } = await openForm();
  await typeLabel("Harbour sales");
  await goToCalls();
  expect(question()).not.toBeNull();
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Stay" })));
  await typeLabel("");
  await goToCalls();
  expect([question(), router.state.location.pathname]).toEqual([null, "/calls"]);
});
