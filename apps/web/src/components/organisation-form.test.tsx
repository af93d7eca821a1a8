// @vitest-environment happy-dom
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { quay } from "../data/testing/some-organisation.ts";
import { OrganisationForm } from "./organisation-form.tsx";
import { leaveWhileOthersSave } from "./testing/leave-while-others-save.tsx";

afterEach(cleanup);

test("another member's save doesn't answer an open question to leave", async () => {
  const left = await leaveWhileOthersSave({
    form: (organisation) => <OrganisationForm organisation={organisation} />,
    before: quay,
    after: { ...quay, description: "Boats" },
    typed: ["Name", "Quay West"],
    changed: "Boats",
  });
  expect(left).toEqual({ at: "/form", typed: "Quay West" });
});
