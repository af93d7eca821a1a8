import { Link } from "@tanstack/react-router";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { expect } from "vitest";
import { session } from "../../data/session.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { unsavedForms } from "../unsaved-forms.ts";

interface LeaveWhileOthersSave<T> {
  form: (saved: T) => ReactNode;
  before: T;
  /** What another user saves. */
  after: T;
  /** By label: what is typed first. */
  typed: readonly [string, string];
  /** A field's value afterwards. */
  changed: string;
}

/**
 * Half-fills a form at /form and starts to leave; while the question is open, another user saves. Resolves to the
 * location and the field's value after choosing to stay.
 */
export async function leaveWhileOthersSave<T>(given: LeaveWhileOthersSave<T>): Promise<{ at: string; typed: string }> {
  const { form, before, after, typed, changed } = given;
  const Form = () => {
    const [saved, setSaved] = useState(before);
    return (
      <>
        <Link to="/calls">Calls</Link>
        <button type="button" onClick={() => setSaved(after)}>
          Somebody else saves
        </button>
        {form(saved)}
      </>
    );
  };
  session.store({ accessToken: "access", refreshToken: "refresh" });
  const { router } = await showScreens({ at: "/form", screens: { "/form": Form, "/calls": () => <h1>Calls</h1> } });
  fireEvent.input(screen.getByLabelText(typed[0]), { target: { value: typed[1] } });
  await waitFor(() => expect(unsavedForms.hasAny({ personal: false })).toBe(true));
  await act(async () => fireEvent.click(screen.getByText("Calls")));
  await act(async () => fireEvent.click(screen.getByText("Somebody else saves")));
  await screen.findByDisplayValue(changed);
  const at = router.state.location.pathname;
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Stay" })));
  return { at, typed: screen.getByLabelText<HTMLInputElement>(typed[0]).value };
}
