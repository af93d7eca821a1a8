// @vitest-environment happy-dom
import { Link } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { session } from "../data/session.ts";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { AskBeforeLeaving } from "./ask-before-leaving.tsx";
import { LeadForm } from "./lead-form.tsx";
import { unsavedForms } from "./unsaved-forms.ts";

const save = vi.fn<() => Promise<void>>(async () => {});
beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
  save.mockClear();
});

const Form = () => (
  <>
    <Link to="/calls">Calls</Link>
    <LeadForm onSave={save} saveLabel="Save" cancel={<Link to="/leads">Cancel</Link>} />
  </>
);
const openForm = () =>
  showScreens({
    at: "/leads/new",
    screens: { "/leads/new": Form, "/leads": () => <h1>Leads</h1>, "/calls": () => <h1>Calls</h1> },
  });
const typeName = (name: string) => fireEvent.input(screen.getByLabelText("First name"), { target: { value: name } });
const press = (role: "button" | "link", name: string) =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));
const question = () => screen.queryByRole("dialog", { name: "Leave without saving?" });
/** Whether the browser would ask before closing the tab. */
function tabAsks(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a half-filled lead form asks before the rep leaves for another screen, and before the tab is closed", async () => {
  const { router } = await openForm();
  typeName("Bob");
  await waitFor(() => expect(tabAsks()).toBe(true));
  await press("link", "Calls");
  expect(question()).not.toBeNull();
  await press("button", "Stay");
  expect([question(), router.state.location.pathname]).toEqual([null, "/leads/new"]);
  expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Bob");
  await press("link", "Calls");
  await press("button", "Leave");
  await screen.findByRole("heading", { name: "Calls" });
});

test("there is no question if nothing was entered, or everything was undone", async () => {
  await openForm();
  typeName("Bob");
  typeName("");
  await waitFor(() => expect(tabAsks()).toBe(false));
  await press("link", "Calls");
  await screen.findByRole("heading", { name: "Calls" });
  expect(question()).toBeNull();
});

test("Cancel asks too, and a user who is logged out and can't save isn't asked", async () => {
  await openForm();
  typeName("Bob");
  await waitFor(() => expect(tabAsks()).toBe(true));
  await press("link", "Cancel");
  expect(question()).not.toBeNull();
  await press("button", "Stay");
  session.clear();
  expect(tabAsks()).toBe(false);
  await press("link", "Cancel");
  await screen.findByRole("heading", { name: "Leads" });
});

/** Fills in the form and submits it to a server that hasn't responded yet. */
async function startSaving() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  save.mockReturnValueOnce(promise);
  const { router } = await openForm();
  const entered = { "First name": "Bob", "Last name": "Stone", Email: "bob@stone.example", Phone: "+12025550100" };
  for (const [name, value] of Object.entries(entered))
    fireEvent.input(screen.getByLabelText(name), { target: { value } });
  await press("button", "Save");
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  return { router, answer: () => act(async () => resolve()), refuse: (error: Error) => act(async () => reject(error)) };
}

test("leaving while it is being saved asks too, and staying shows why it was refused", async () => {
  const { refuse } = await startSaving();
  expect(tabAsks()).toBe(true);
  await press("link", "Calls");
  expect(question()).not.toBeNull();
  await refuse(new Error("The line is cut."));
  await press("button", "Stay");
  expect(await screen.findByRole("alert")).not.toBeNull();
});

test("saving while the question is open closes it and goes where the user wanted", async () => {
  const Saved = () => {
    const [unsaved, setUnsaved] = useState(true);
    return (
      <>
        <Link to="/calls">Calls</Link>
        <button type="button" onClick={() => setUnsaved(false)}>
          Saved
        </button>
        <AskBeforeLeaving unsaved={unsaved} />
      </>
    );
  };
  await showScreens({ at: "/leads/new", screens: { "/leads/new": Saved, "/calls": () => <h1>Calls</h1> } });
  await press("link", "Calls");
  expect(question()).not.toBeNull();
  await act(async () => fireEvent.click(screen.getByText("Saved")));
  await screen.findByRole("heading", { name: "Calls" });
  expect(question()).toBeNull();
});

test("two half-filled forms on a page ask once", async () => {
  const Account = () => (
    <>
      <Link to="/calls">Calls</Link>
      <AskBeforeLeaving unsaved personal />
      <AskBeforeLeaving unsaved personal />
    </>
  );
  await showScreens({ at: "/account", screens: { "/account": Account, "/calls": () => <h1>Calls</h1> } });
  await press("link", "Calls");
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  await press("button", "Leave");
  await screen.findByRole("heading", { name: "Calls" });
});

test("switching organisations drops a half-filled form only after confirmation", async () => {
  const General = () => <AskBeforeLeaving unsaved />;
  await showScreens({ at: "/general", screens: { "/general": General } });
  const answers: boolean[] = [];
  for (const answer of ["Stay", "Leave"]) {
    await act(async () => void unsavedForms.maySwitch().then((goOn) => answers.push(goOn)));
    await press("button", answer);
  }
  expect([answers, question()]).toEqual([[false, true], null]);
});

test("a form about the user stays as it is in another organisation, so there is no question", async () => {
  const Account = () => <AskBeforeLeaving unsaved personal />;
  await showScreens({ at: "/account", screens: { "/account": Account } });
  expect(await unsavedForms.maySwitch()).toBe(true);
});
