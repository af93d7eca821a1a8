// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProblemError } from "../../data/problem-error.ts";
import { padField, press, showDialPad, startCall, typeOnPage } from "../testing/show-dial-pad.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** What is below the keys. */
const bottomRow = (): string[] =>
  screen
    .getAllByRole("button")
    // The card of an ended call comes after the row, so that it moves no key.
    .filter((button) => button.closest("section") === null)
    .slice(-3)
    .map((button) => button.textContent);

describe("the dial pad", () => {
  test("has the keys 1 to 9, star, 0, hash, and a row with plus sign, call and backspace", () => {
    showDialPad();
    const names = within(screen.getByRole("group", { name: "Keypad" }))
      .getAllByRole("button")
      .map((button) => button.getAttribute("aria-label"));
    expect(names).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "Star", "0", "Hash"]);
    expect(bottomRow()).toEqual(["Plus sign", "Call", "Backspace"]);
  });
  test("typing anywhere fills it, letters are ignored, and each key sounds", () => {
    const { sounds } = showDialPad();
    typeOnPage("2a0b2");
    expect(padField().value).toBe("(202)");
    press("5");
    expect(padField().value).toBe("(202) 5");
    press("Backspace");
    press("Backspace");
    expect(padField().value).toBe("20");
    expect(sounds).toEqual(["key", "key", "key", "key"]);
  });
  test("typing in another field stays there", () => {
    showDialPad();
    const other = document.body.appendChild(document.createElement("input"));
    fireEvent.keyDown(other, { key: "7" });
    expect(padField().value).toBe("");
    other.remove();
  });
  test("a plus sign and a country code set the country", () => {
    showDialPad();
    typeOnPage("+49");
    expect(screen.getByRole("img", { name: "Country: Germany" })).toBeTruthy();
  });
  test("a sentence can be pasted anywhere on the page", () => {
    showDialPad();
    const clipboardData = { getData: () => "Call me at +44 20 7946 0000 before 5." };
    fireEvent(document.body, Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }));
    expect(padField().value).toBe("+44 20 7946 0000");
  });
  test("letters after an area code become their keys' digits, typed or pasted, and a name stays a name", () => {
    showDialPad();
    fireEvent.change(padField(), { target: { value: "1-800-FLOWERS" } });
    expect(padField().value).toBe("1 (800) 356-9377");
    fireEvent.change(padField(), { target: { value: "Flowers" } });
    expect(padField().value).toBe("Flowers");
    const clipboardData = { getData: () => "1-800-FLOWERS" };
    fireEvent(padField(), Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }));
    expect(padField().value.replaceAll(/\D/g, "")).toContain("8003569377");
  });
  test.each(["911", "112", "999"])("%s is not called, and the pad says so before and after", async (number) => {
    const { phone } = showDialPad();
    await phone.devices.whenReady;
    typeOnPage(number);
    expect(screen.getByRole("alert").textContent).toBe("Leadline cannot call emergency numbers. Use a telephone.");
    press("Call");
    const dialog = await screen.findByRole("alertdialog", { name: "Failed to start call" });
    expect(dialog.textContent).toContain("Leadline cannot call emergency numbers. Use a telephone.");
    expect(phone.getState().phase).toBe("idle");
    fireEvent.click(screen.getByRole("button", { name: "OK" }));
    await waitFor(() => expect(document.activeElement).toBe(padField()));
  });
  test("without a network Call says so immediately, and the number stays", async () => {
    const { phone } = showDialPad();
    await phone.devices.whenReady;
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    typeOnPage("2025550100");
    press("Call");
    const dialog = await screen.findByRole("alertdialog", { name: "Failed to start call" });
    online.mockRestore();
    expect(dialog.textContent).toContain("You’re offline, so nothing was dialled. Call again when you’re back online.");
    expect([phone.getState().phase, padField().value]).toEqual(["idle", "(202) 555-0100"]);
  });
  test("replacing the whole number with its unformatted form keeps its last digit", () => {
    showDialPad();
    typeOnPage("+12025550100");
    expect(padField().value).toBe("+1 202 555 0100");
    fireEvent.input(padField(), { target: { value: "+12025550100" }, inputType: "insertText" });
    expect(padField().value).toBe("+1 202 555 0100");
    fireEvent.input(padField(), { target: { value: "+1 202 5550100" }, inputType: "deleteContentBackward" });
    expect(padField().value).toBe("+1 202 555 010");
  });
  test("enter on an empty pad recalls the last number, and then calls it", async () => {
    const { phone } = showDialPad();
    await phone.devices.whenReady;
    fireEvent.keyDown(document.body, { key: "Enter" });
    expect(padField().value).toBe("+1 202 555 0107");
    fireEvent.keyDown(document.body, { key: "Enter" });
    await waitFor(() => expect(phone.getState().call?.phoneNumber).toBe("+12025550107"));
  });
  test("a recent number is offered while its digits are typed", () => {
    showDialPad();
    typeOnPage("+4420");
    press("+44 20 7946 0000");
    expect(padField().value).toBe("+44 20 7946 0000");
  });
});

describe("a call from the pad", () => {
  test("shows hide, hang up and backspace, and plays the dialing sound until the answer", async () => {
    const opened = showDialPad();
    await startCall(opened);
    expect(opened.sounds).toContain("dialing");
    expect(bottomRow()).toEqual(["Hide", "Hang up", "Backspace"]);
    opened.sounds.length = 0;
    act(() => void opened.report({ status: "in-progress", answeredAt: new Date().toISOString() }));
    expect(opened.sounds).toEqual(["dialing stopped"]);
    expect(screen.getByRole("timer").textContent).toBe("0:00");
  });
  test("has the focus once its start removed the pressed control, and again when its controls change places", async () => {
    const opened = showDialPad();
    await opened.phone.devices.whenReady;
    typeOnPage("2025550100");
    const heading = () => screen.getByTestId("call-stage").closest("[tabindex]");
    const call = screen.getByRole("button", { name: "Call" });
    call.focus();
    fireEvent.click(call);
    await screen.findByRole("button", { name: "Hang up" });
    await waitFor(() => expect(document.activeElement).toBe(heading()));
    await waitFor(() => expect(opened.phone.getState().phase).toBe("live"));
    const hide = screen.getByRole("button", { name: "Hide" });
    hide.focus();
    fireEvent.click(hide);
    await waitFor(() => expect(document.activeElement).toBe(heading()));
  });
  test("shows next to its number how many leads have it", async () => {
    const opened = showDialPad();
    await startCall(opened);
    const leads = ["a", "b"].map((id) => ({ id, firstName: "Ada", lastName: "Byron", status: "New" as const }));
    act(() => void opened.report({ leads }));
    expect(await screen.findByText("2 leads have this number")).toBeTruthy();
  });
  test("sends each digit immediately and shows it", async () => {
    const opened = showDialPad();
    await startCall(opened);
    act(() => void opened.report({ status: "in-progress", answeredAt: new Date().toISOString() }));
    press("4");
    typeOnPage("2");
    press("Hash");
    // A sent digit can't be taken back.
    fireEvent.keyDown(document.body, { key: "Backspace" });
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Backspace" }).disabled).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>("Keys sent").value).toBe("42#");
    await waitFor(() => expect(opened.digits).toEqual(["4", "2", "#"]));
  });
  test("shows notices below the keys, which don't move", async () => {
    const opened = showDialPad();
    await startCall(opened);
    act(
      () =>
        void opened.report({
          status: "in-progress",
          answeredAt: new Date().toISOString(),
          mediaConnectionId: null,
        }),
    );
    act(() => opened.phone.driver.release());
    const keypad = screen.getByRole("group", { name: "Keypad" });
    const trouble = await screen.findByTestId("call-troubles");
    expect(keypad.compareDocumentPosition(trouble) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });
  test("hide shows the call's controls, and their keypad button the pad", async () => {
    const opened = showDialPad();
    await startCall(opened);
    press("Hide");
    expect(screen.queryByRole("group", { name: "Keypad" })).toBeNull();
    expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual([
      "Mute",
      "Keypad",
      "Hold",
      "Transfer",
      "Add",
      "Settings",
      "Hang up",
    ]);
    press("Keypad");
    expect(screen.getByRole("group", { name: "Keypad" })).toBeTruthy();
    press("Hang up");
    await screen.findByRole("region", { name: "Call ended" });
    expect(bottomRow()).toEqual(["Plus sign", "Call", "Backspace"]);
  });
  test("mute is sent to the server, sounds, and follows another tab", async () => {
    const opened = showDialPad();
    await startCall(opened);
    press("Hide");
    press("Mute");
    expect(screen.queryByRole("button", { name: "Mute" })).toBeNull();
    screen.getByRole("button", { name: "Unmute" });
    screen.getByText("Muted");
    expect(opened.sounds).toContain("mute on");
    await waitFor(() => expect(opened.phone.getState().call?.muted).toBe(true));
    await act(async () => void opened.report({ muted: false }));
    await screen.findByRole("button", { name: "Mute" });
    expect(screen.queryByText("Muted")).toBeNull();
    press("Mute");
    press("Unmute");
    expect(opened.sounds.slice(-2)).toEqual(["mute on", "mute off"]);
  });
  test("says why it ended, empties the pad for the next number, and calls again", async () => {
    const opened = showDialPad();
    await startCall(opened);
    act(() => void opened.report({ status: "busy", cause: { reason: "busy", sip: 486, q850: 17 } }));
    expect(screen.getByRole("region", { name: "Call ended" }).textContent).toContain("The line is busy.");
    expect(padField().value).toBe("");
    press("Call again");
    await waitFor(() => expect(opened.phone.getState().phase).toBe("live"));
  });
  test("leaves the focus where the next number is typed once it is over and dismissed", async () => {
    const opened = showDialPad();
    await startCall(opened);
    const hangUp = screen.getByRole("button", { name: "Hang up" });
    hangUp.focus();
    fireEvent.click(hangUp);
    await screen.findByRole("region", { name: "Call ended" });
    expect(document.activeElement).toBe(padField());
    const dismiss = screen.getByRole("button", { name: "Dismiss" });
    dismiss.focus();
    fireEvent.click(dismiss);
    expect(document.activeElement).toBe(padField());
  });
  test("leaves the focus in another text field when it ends", async () => {
    const opened = showDialPad();
    render(<textarea aria-label="Note" />);
    await startCall(opened);
    screen.getByLabelText("Note").focus();
    act(() => void opened.report({ status: "busy", cause: { reason: "busy", sip: 486, q850: 17 } }));
    expect(document.activeElement).toBe(screen.getByLabelText("Note"));
  });
  test("ignores keys pressed in a list, a form, or the call's note", async () => {
    const opened = showDialPad();
    render(
      <>
        <button type="button" role="combobox" aria-controls="list" aria-expanded="false" aria-label="Outcome" />
        <form>
          <button type="button">Save it</button>
        </form>
        <section data-keeps-keys>
          <button type="button">Done with it</button>
        </section>
      </>,
    );
    await startCall(opened);
    act(() => void opened.report({ status: "in-progress", answeredAt: new Date().toISOString() }));
    for (const name of ["Save it", "Done with it"])
      fireEvent.keyDown(screen.getByRole("button", { name }), { key: "7" });
    fireEvent.keyDown(screen.getByRole("combobox", { name: "Outcome" }), { key: "8" });
    typeOnPage("9");
    await waitFor(() => expect(opened.digits).toEqual(["9"]));
  });
  test("a failed start says why, clears the active state and keeps the number", async () => {
    const opened = showDialPad();
    await opened.phone.devices.whenReady;
    const detail = "Your carrier can’t be reached.";
    opened.refuseNextStart(new ProblemError({ code: "carrier-unreachable", title: "", detail, status: 502 }));
    typeOnPage("2025550100");
    press("Call");
    const dialog = await screen.findByRole("alertdialog", { name: "Failed to start call" });
    expect(dialog.textContent).toContain(detail);
    fireEvent.click(within(dialog).getByRole("button", { name: "OK" }));
    expect(padField().value).toBe("(202) 555-0100");
    expect(opened.sounds.at(-1)).toBe("dialing stopped");
    expect(bottomRow()).toEqual(["Plus sign", "Call", "Backspace"]);
  });
  test("a refused microphone is reported as that, not as an ended call", async () => {
    const opened = showDialPad({ microphoneRefusal: "NotAllowedError" });
    opened.phone.devices.subscribe(() => {});
    await opened.phone.devices.open().catch(() => {});
    typeOnPage("2025550100");
    press("Call");
    const dialog = await screen.findByRole("alertdialog", { name: "Failed to start call" });
    expect(dialog.textContent).toContain("is blocking the microphone");
    expect(screen.queryByRole("region", { name: "Call ended" })).toBeNull();
  });
});
