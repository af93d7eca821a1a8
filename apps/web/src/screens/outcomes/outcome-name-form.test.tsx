// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { unsavedForms } from "../../components/unsaved-forms.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { OutcomeNameForm } from "./outcome-name-form.tsx";

afterEach(cleanup);

const cancel = vi.fn<() => void>();

/** Half a name typed, and then Escape. */
async function escapeFrom(props: { onCancel?: () => void } = {}): Promise<void> {
  const Outcomes = () => <OutcomeNameForm label="Name" submit="Save" onSubmit={async () => {}} {...props} />;
  await showScreens({ at: "/outcomes", screens: { "/outcomes": Outcomes } });
  const field = screen.getByLabelText("Name");
  fireEvent.input(field, { target: { value: "Sent a qu" } });
  await waitFor(() => expect(unsavedForms.hasAny({ personal: false })).toBe(true));
  fireEvent.keyDown(field, { key: "Escape" });
}

test("Escape asks about a half-typed new name of an outcome, and Leave puts it away", async () => {
  await escapeFrom({ onCancel: cancel });
  fireEvent.click(await screen.findByRole("button", { name: "Leave" }));
  expect(cancel).toHaveBeenCalledOnce();
});

test("Escape asks nothing where an outcome is added, which nothing closes", async () => {
  await escapeFrom();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Sent a qu");
});
