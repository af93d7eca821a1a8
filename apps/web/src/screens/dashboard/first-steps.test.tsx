// @vitest-environment happy-dom
import { Outlet } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { numberUseQuery } from "../../data/phone-numbers-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { PhoneContext } from "../../phone/phone-context.ts";
import { openTestPhone } from "../../phone/testing/open-test-phone.ts";
import { FirstSteps } from "./first-steps.tsx";
import { firstSteps } from "./first-steps-list.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const steps = firstSteps.map((step) => ({ step, done: false }));
async function show(use: { usesNumbers: boolean; isSandbox: boolean; carrier: string }, shown = steps) {
  const { phone } = openTestPhone();
  vi.stubGlobal("fetch", async () => Response.json(use));
  const layout = () => (
    <PhoneContext value={phone}>
      <Outlet />
    </PhoneContext>
  );
  const screens = { "/dashboard": () => <FirstSteps steps={shown} />, "/calls": () => "Calls" };
  await showScreens({ at: "/dashboard", screens, layout, known: [[numberUseQuery.queryKey, use]] });
  return phone;
}

test("suggests calling the sandbox's callees, or a phone at hand if calls are real and cost money", async () => {
  await show({ usesNumbers: true, isSandbox: true, carrier: "Sandbox" });
  screen.getByText(/Both are simulated, at made-up prices/);
  cleanup();
  await show({ usesNumbers: false, isSandbox: true, carrier: "Sales" });
  screen.getByText(/Both are simulated, at made-up prices/);
  cleanup();
  await show({ usesNumbers: false, isSandbox: false, carrier: "SIP trunk" });
  screen.getByText(/It’s a real call through SIP trunk, at your normal rate/);
  expect(screen.queryByText(/simulated/)).toBeNull();
});

test("puts the test number on the pad only if that number is simulated", async () => {
  const testCall = steps.filter(({ step }) => step.title === "Place a test call");
  const phone = await show({ usesNumbers: true, isSandbox: true, carrier: "Sandbox" }, testCall);
  fireEvent.click(screen.getByRole("link", { name: "Open the dial pad" }));
  expect(phone.getState().padText).toBe("+1 202 555 0100");
  await screen.findByText("Calls");
  cleanup();
  const other = await show({ usesNumbers: false, isSandbox: false, carrier: "SIP trunk" }, testCall);
  fireEvent.click(screen.getByRole("link", { name: "Open the dial pad" }));
  expect(other.getState().padText).toBe("");
});
