// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PrivacyPolicyScreen } from "./privacy-policy-screen.tsx";

afterEach(cleanup);

test("the privacy policy says who deletes an organisation, and that only an account takes the administrator of the server", () => {
  render(<PrivacyPolicyScreen />);
  const said = document.body.textContent?.replaceAll(/\s+/g, " ");
  expect(said).toContain(
    "An organisation whose only owner you are, you delete yourself under Settings, Organisations. To have your account deleted, ask the administrator of this server.",
  );
});
