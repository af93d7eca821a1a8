// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { numberUseQuery } from "../../data/phone-numbers-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { firstSteps } from "./first-steps-list.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const steps = firstSteps.map((step) => ({ step, done: false }));
const show = (use: { usesNumbers: boolean; carrier: string }) => {
  vi.stubGlobal("fetch", async () => Response.json(use));
  const screens = { "/dashboard": () => <FirstSteps steps={steps} /> };
  return showScreens({ at: "/dashboard", screens, known: [[numberUseQuery.queryKey, use]] });
};

test("whom to call first is the sandbox's callees, and a phone at hand where calls go elsewhere and cost money", async () => {
  await show({ usesNumbers: true, carrier: "Sandbox" });
  screen.getByText(/Both are simulated and cost nothing/);
  cleanup();
  await show({ usesNumbers: false, carrier: "SIP trunk" });
  screen.getByText(/It is a real call through SIP trunk, at its price/);
  expect(screen.queryByText(/simulated/)).toBeNull();
});
