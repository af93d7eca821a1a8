// @vitest-environment happy-dom
import type { Organisation } from "@leadline/contract/organisations";
import { Link } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { OrganisationForm } from "./organisation-form.tsx";
import { unsavedForms } from "./unsaved-forms.ts";

afterEach(cleanup);

const quay: Organisation = {
  id: "quay",
  name: "Quay",
  description: null,
  website: null,
  timeZone: "Europe/Berlin",
  defaultCountry: "DE",
  openingHours: [],
  balance: 0,
  role: "owner",
};

test("what somebody else saves about the organisation answers no standing question to leave", async () => {
  const General = () => {
    const [organisation, setOrganisation] = useState(quay);
    return (
      <>
        <Link to="/calls">Calls</Link>
        <button type="button" onClick={() => setOrganisation({ ...quay, description: "Boats" })}>
          Somebody else saves
        </button>
        <OrganisationForm organisation={organisation} />
      </>
    );
  };
  const { router } = await showScreens({
    at: "/general",
    screens: { "/general": General, "/calls": () => <h1>Calls</h1> },
  });
  fireEvent.input(screen.getByLabelText("Name"), { target: { value: "Quay West" } });
  await waitFor(() => expect(unsavedForms.hasAny({ personal: false })).toBe(true));
  await act(async () => fireEvent.click(screen.getByText("Calls")));
  await act(async () => fireEvent.click(screen.getByText("Somebody else saves")));
  await screen.findByDisplayValue("Boats");
  expect(router.state.location.pathname).toBe("/general");
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Stay" })));
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Quay West");
});
