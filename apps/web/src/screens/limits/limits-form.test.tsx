// @vitest-environment happy-dom
import { Link } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { unsavedForms } from "../../components/unsaved-forms.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LimitsForm } from "./limits-form.tsx";

afterEach(cleanup);

const before = {
  allowedCountries: ["US"],
  concurrentCalls: 5,
  callsPerMinute: 10,
  dailySpend: 10_000_000,
  used: { concurrentCalls: 0, callsPerMinute: 0, dailySpend: 0 },
};

test("limits saved by somebody else answer no standing question to leave, and take nothing typed away", async () => {
  const Limits = () => {
    const [limits, setLimits] = useState(before);
    return (
      <>
        <Link to="/calls">Calls</Link>
        <button type="button" onClick={() => setLimits({ ...before, callsPerMinute: 20 })}>
          Somebody else saves
        </button>
        <LimitsForm limits={limits} mayChange />
      </>
    );
  };
  const { router } = await showScreens({
    at: "/limits",
    screens: { "/limits": Limits, "/calls": () => <h1>Calls</h1> },
  });
  fireEvent.input(screen.getByLabelText("Calls at the same time"), { target: { value: "7" } });
  await waitFor(() => expect(unsavedForms.hasAny({ personal: false })).toBe(true));
  await act(async () => fireEvent.click(screen.getByText("Calls")));
  await act(async () => fireEvent.click(screen.getByText("Somebody else saves")));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Calls a minute").value).toBe("20"));
  expect(router.state.location.pathname).toBe("/limits");
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Stay" })));
  expect(screen.getByLabelText<HTMLInputElement>("Calls at the same time").value).toBe("7");
});
