// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { TestPanel } from "../testing/test-panel.tsx";
import { callNote } from "./call-note.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** In an answered call as it opens: on the keypad. */
async function inCall() {
  const opened = openTestPhone();
  render(
    <PhoneContext value={opened.phone}>
      <TestPanel />
      <input aria-label="Search" />
    </PhoneContext>,
  );
  await act(() => opened.phone.start("+12025550100"));
  act(() => void opened.report({ status: "in-progress", answeredAt: new Date().toISOString() }));
  return opened;
}
const key = (name: string, at: Element = document.body, more: object = {}) =>
  act(() => void fireEvent.keyDown(at, { key: name, ...more }));

test("a call opens with mute, hold, transfer and add above its keys, and hide, hang up and backspace below", async () => {
  const { phone } = await inCall();
  const keypad = screen.getByRole("group", { name: "Keypad" });
  const [above, below]: string[][] = [[], []];
  for (const button of screen.getAllByRole("button"))
    if (!keypad.contains(button)) {
      const follows = keypad.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING;
      (follows ? below : above)?.push(button.textContent);
    }
  expect([above, below]).toEqual([
    ["Mute", "Hold", "Transfer", "Add"],
    ["Hide", "Hang up", "Backspace"],
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Mute" }));
  fireEvent.click(screen.getByRole("button", { name: "Hold" }));
  await waitFor(() => expect(phone.getState().call).toMatchObject({ muted: true, held: true }));
  screen.getByRole("button", { name: "Unmute" });
  screen.getByRole("button", { name: "Resume" });
  fireEvent.click(screen.getByRole("button", { name: "Transfer" }));
  await screen.findByRole("dialog", { name: "Transfer call" });
});

test("a pressed control stays pressed while the server still reports the former state", async () => {
  const { phone, report } = await inCall();
  const onItsWay = Promise.withResolvers<void>();
  const reachServer = fetch;
  vi.stubGlobal("fetch", async (...asked: Parameters<typeof fetch>) => {
    await onItsWay.promise;
    return reachServer(...asked);
  });
  let muting: Promise<void> | undefined;
  act(() => {
    muting = phone.setMuted(true);
    report({ heldByThem: true });
  });
  screen.getByRole("button", { name: "Unmute" });
  await act(() => {
    onItsWay.resolve();
    return muting;
  });
  expect(phone.getState()).toMatchObject({ muted: true, call: { muted: true, heldByThem: true } });
  act(() => void report({ muted: false }));
  screen.getByRole("button", { name: "Mute" });
});

test("M mutes, H holds and Shift+E hangs up, except in text fields", async () => {
  const { phone } = await inCall();
  key("m");
  key("H");
  await waitFor(() => expect(phone.getState().call).toMatchObject({ muted: true, held: true }));
  key("m");
  key("h");
  await waitFor(() => expect(phone.getState().call).toMatchObject({ muted: false, held: false }));
  for (const name of ["m", "h", "t", "n"]) key(name, screen.getByLabelText("Search"));
  key("E", screen.getByLabelText("Search"), { shiftKey: true });
  key("e");
  for (const modifier of ["ctrlKey", "metaKey", "altKey"]) key("m", document.body, { [modifier]: true });
  expect(phone.getState()).toMatchObject({ muted: false, held: false, transferOpen: null, hangingUp: false });
  key("E", document.body, { shiftKey: true });
  await screen.findByRole("region", { name: "Call ended" });
  key("m");
  expect(phone.getState().muted).toBe(false);
});

test("each button that hangs up shows its shortcut, and names it to screen readers", async () => {
  const { phone } = await inCall();
  const isHinted = () => {
    const button = screen.getByRole("button", { name: "Hang up" });
    expect([button.title, button.getAttribute("aria-keyshortcuts")]).toEqual(["Hang up (Shift+E)", "Shift+E"]);
  };
  isHinted();
  act(() => phone.show("active-call"));
  isHinted();
});

test("on a narrow screen the transfer is a sheet that hangs up itself, with the keyboard in its field", async () => {
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  await inCall();
  fireEvent.click(screen.getByRole("button", { name: "Transfer" }));
  const sheet = within(await screen.findByRole("dialog", { name: "Transfer call" }));
  sheet.getByTestId("sheet-handle");
  sheet.getByRole("timer", { name: "Call duration" });
  await waitFor(() => expect(document.activeElement).toBe(sheet.getByRole("combobox", { name: "Phone number" })));
  fireEvent.click(sheet.getByRole("button", { name: "Hang up" }));
  await screen.findByRole("region", { name: "Call ended" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("N focuses the note, and opens it if it isn't on the page", async () => {
  await inCall();
  const wanted = vi.fn<() => void>();
  const stop = callNote.onWanted(wanted);
  key("n");
  expect(wanted).toHaveBeenCalledOnce();
  const note = document.createElement("textarea");
  document.body.append(note);
  const remove = callNote.isAt(note);
  expect(document.activeElement).toBe(note);
  note.blur();
  key("n");
  expect(document.activeElement).toBe(note);
  expect(wanted).toHaveBeenCalledOnce();
  remove();
  note.remove();
  stop();
});

test("after a hang-up the focus is in the note, not in the number field", async () => {
  await inCall();
  const note = document.createElement("textarea");
  document.body.append(note);
  const remove = callNote.isAt(note);
  const hangUp = screen.getByRole("button", { name: "Hang up" });
  hangUp.focus();
  fireEvent.click(hangUp);
  await screen.findByRole("region", { name: "Call ended" });
  await waitFor(() => expect(document.activeElement).toBe(note));
  remove();
  note.remove();
});
