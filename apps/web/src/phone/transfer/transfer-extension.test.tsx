// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { TestPanel } from "../testing/test-panel.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ["Transfer", "Transfer call", "Choose Talk first, and enter it on the keypad once they answer."],
  ["Add", "Add someone to the call", "Enter it on the keypad once they answer."],
])("%s says that a number’s extension isn’t sent, pasted or typed", async (opener, title, advice) => {
  const { phone, report, transfers } = openTestPhone();
  render(
    <PhoneContext value={phone}>
      <TestPanel />
    </PhoneContext>,
  );
  await act(() => phone.start("+12025550100"));
  act(() => void report({ status: "in-progress", answeredAt: new Date().toISOString() }));
  act(() => phone.show("active-call"));
  fireEvent.click(screen.getByRole("button", { name: opener }));
  const asking = within(screen.getByRole("dialog", { name: title }));
  const number = asking.getByRole<HTMLInputElement>("combobox", { name: "Phone number" });
  fireEvent.paste(number, { clipboardData: { getData: () => "+1 202 555 0199 ext 5" } });
  expect(number.value).toBe("+1 202 555 0199");
  asking.getByText(`Extension 5 isn’t sent. ${advice}`);
  fireEvent.change(number, { target: { value: "+1 202 555 0198 x12" } });
  expect(number.value).toBe("+1 202 555 0198 x12");
  fireEvent.submit(number);
  await asking.findByText(`Extension 12 isn’t sent. ${advice}`);
  expect([number.value, transfers, phone.getState().other]).toEqual(["+1 202 555 0198", [], null]);
});
