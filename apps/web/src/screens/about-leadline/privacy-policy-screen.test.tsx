// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PrivacyPolicyScreen } from "./privacy-policy-screen.tsx";

afterEach(cleanup);

test("the privacy policy says who can delete an organisation, and that only accounts need the administrator", () => {
  render(<PrivacyPolicyScreen />);
  const said = document.body.textContent?.replaceAll(/\s+/g, " ");
  expect(said).toContain(
    "If you are an organisation’s only owner, you can delete it under Settings, Organisations. To delete your account, ask the administrator of this server.",
  );
});
