// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { AccountScreen } from "./account-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a refused form has the focus in its own first invalid field, whatever is invalid above it", async () => {
  const refusal = {
    type: "/api/docs#invalid-input",
    title: "Check the fields",
    status: 422,
    detail: "Check the fields.",
  };
  const errors = [{ field: "password", message: "Choose a less common password." }];
  vi.stubGlobal("fetch", async () => Response.json({ ...refusal, errors }, { status: 422 }));
  const me = { id: "me", firstName: "Robin", lastName: "Tester", email: "robin@example.com", avatar: null };
  await showScreens({
    at: "/settings/account",
    screens: { "/settings/account": AccountScreen },
    known: [[meQuery.queryKey, { ...me, activeOrganisation: null }]],
  });
  const formOf = (button: string) => screen.getByRole("button", { name: button }).closest("form") ?? document.body;
  const fieldOf = (button: string, label: string) => within(formOf(button)).getByLabelText<HTMLInputElement>(label);
  const submit = (button: string) => fireEvent.submit(formOf(button));
  const focused = (field: HTMLInputElement) => waitFor(() => expect(document.activeElement).toBe(field));

  fireEvent.change(screen.getByLabelText("First name"), { target: { value: "" } });
  submit("Save name");
  await focused(screen.getByLabelText("First name"));
  submit("Change password");
  await focused(fieldOf("Change password", "Current password"));

  fireEvent.change(fieldOf("Change password", "Current password"), { target: { value: "the current one" } });
  fireEvent.change(fieldOf("Change password", "New password"), { target: { value: "a very common password" } });
  screen.getByLabelText("Last name").focus();
  submit("Change password");
  await screen.findByText("Choose a less common password.");
  await focused(fieldOf("Change password", "New password"));
});
