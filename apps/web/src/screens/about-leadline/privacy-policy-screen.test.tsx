// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PrivacyPolicyScreen } from "./privacy-policy-screen.tsx";

afterEach(cleanup);

test("the privacy policy says where to delete an account and an organisation", () => {
  render(<PrivacyPolicyScreen />);
  const said = document.body.textContent?.replaceAll(/\s+/g, " ");
  expect(said).toContain(
    "download what is stored about you, and delete your account. If you are an organisation’s only owner, you can delete it under Settings, Organisations.",
  );
});

test("the privacy policy says what a CRM and a payment provider receive, and that changes are logged", () => {
  render(<PrivacyPolicyScreen />);
  const said = document.body.textContent?.replaceAll(/\s+/g, " ");
  expect(said).toContain("each call with them: number, time, duration, outcome, note, and who called.");
  expect(said).toContain("A payment provider receives the amount of each top-up");
  expect(said).toContain("An audit log: who changed what, when, and from which IP address and browser.");
});
