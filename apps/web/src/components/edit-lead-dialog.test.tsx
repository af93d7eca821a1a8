// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { membersQuery } from "../data/members-query.ts";
import { bob } from "../data/testing/some-lead.ts";
import { session } from "../data/session.ts";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { EditLeadDialog } from "./edit-lead-dialog.tsx";

const close = vi.fn<() => void>();
beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
  close.mockClear();
  vi.unstubAllGlobals();
});

const openDialog = () =>
  showScreens({
    at: "/leads",
    screens: { "/leads": () => <EditLeadDialog lead={bob} onClose={close} /> },
    known: [[membersQuery.queryKey, []]],
  });
const pressEscape = () =>
  act(async () => fireEvent.keyDown(document.activeElement ?? document.body, { key: "Escape" }));
const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));
const typeName = (name: string) =>
  act(async () => fireEvent.input(screen.getByLabelText("First name"), { target: { value: name } }));
const question = () => screen.queryByRole("dialog", { name: "Leave without saving?" });

test("Escape asks before it drops what was typed, and staying keeps the focus", async () => {
  await openDialog();
  await typeName("Robert");
  const field = screen.getByLabelText<HTMLInputElement>("First name");
  field.focus();
  await pressEscape();
  expect(question()).not.toBeNull();
  await press("Stay");
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect([field.value, close.mock.calls.length]).toEqual(["Robert", 0]);
  await pressEscape();
  await press("Leave");
  expect(close).toHaveBeenCalledOnce();
});

test("Escape asks even if it follows the last key at once, before React's scheduler has had a turn", async () => {
  await openDialog();
  const field = screen.getByLabelText<HTMLInputElement>("First name");
  field.focus();
  const type = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  // act() would run everything that is scheduled.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  type?.call(field, "Robert");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  for (let microtask = 0; microtask < 20; microtask++) await Promise.resolve();
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
  await vi.waitFor(() => expect(question()).not.toBeNull());
  expect(close).not.toHaveBeenCalled();
});

test("the dialog stays open while saving, so that an error is seen", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => promise);
  await openDialog();
  await typeName("Robert");
  await press("Save");
  await pressEscape();
  expect([question(), close.mock.calls.length]).toEqual([null, 0]);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Cancel" }).disabled).toBe(true);
  const refusal = { type: "about:blank", title: "Not ready", status: 503, detail: "Try again in a minute." };
  await act(async () =>
    resolve(Response.json(refusal, { status: 503, headers: { "content-type": "application/problem+json" } })),
  );
  await screen.findByText("Try again in a minute.");
  expect(close).not.toHaveBeenCalled();
});
