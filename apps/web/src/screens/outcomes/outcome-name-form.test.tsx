// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { unsavedForms } from "../../components/unsaved-forms.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { OutcomeNameForm } from "./outcome-name-form.tsx";

afterEach(cleanup);

const cancel = vi.fn<() => void>();

/** Types half a name, then presses Escape. */
async function escapeFrom(props: { onCancel?: () => void } = {}): Promise<void> {
  const Outcomes = () => <OutcomeNameForm label="Name" submit="Save" onSubmit={async () => {}} {...props} />;
  await showScreens({ at: "/outcomes", screens: { "/outcomes": Outcomes } });
  const field = screen.getByLabelText("Name");
  fireEvent.input(field, { target: { value: "Sent a qu" } });
  await waitFor(() => expect(unsavedForms.hasAny({ personal: false })).toBe(true));
  fireEvent.keyDown(field, { key: "Escape" });
}

test("Escape asks before discarding a half-typed outcome name, and Leave discards it", async () => {
  await escapeFrom({ onCancel: cancel });
  fireEvent.click(await screen.findByRole("button", { name: "Leave" }));
  expect(cancel).toHaveBeenCalledOnce();
});

test("Escape asks nothing in the form for a new outcome, since it can't be closed", async () => {
  await escapeFrom();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Sent a qu");
});
