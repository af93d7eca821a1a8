// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { pageOrganisation } from "../../data/page-organisation.ts";
import { unsavedForms } from "../unsaved-forms.ts";
import { useOrganisationOfPage } from "./use-organisation-of-page.ts";

const quay = { id: "quay", name: "Quay" };
const third = { id: "third", name: "Third Ltd" };
let drop = () => {};
afterEach(() => {
  cleanup();
  drop();
});

function Page({ active }: { active: typeof quay }) {
  const page = useOrganisationOfPage(active);
  return (
    <>
      <input key={page.key} aria-label="Name" />
      <h1>{page.organisation?.name}</h1>
      {page.asking ? <button onClick={page.beginAnew}>Asked for {page.former?.name}</button> : null}
    </>
  );
}
const name = () => screen.getByLabelText<HTMLInputElement>("Name");
const typeName = () => fireEvent.change(name(), { target: { value: "Bob" } });
/** Another tab's switch reaches this one. */
function openAndSwitch(form: { personal: boolean } | null) {
  const { rerender } = render(<Page active={quay} />);
  typeName();
  if (form) drop = unsavedForms.add({ ...form, ask: async () => true });
  act(() => rerender(<Page active={third} />));
  return (active: typeof quay) => act(() => rerender(<Page active={active} />));
}

test("a half-filled form stays with the organisation that it was started in, until the user drops it", () => {
  openAndSwitch({ personal: false });
  expect([name().value, pageOrganisation.organisationId()]).toEqual(["Bob", "quay"]);
  screen.getByRole("heading", { name: "Quay" });
  fireEvent.click(screen.getByRole("button", { name: "Asked for Quay" }));
  expect([name().value, pageOrganisation.organisationId()]).toEqual(["", "third"]);
  screen.getByRole("heading", { name: "Third Ltd" });
  expect(screen.queryByRole("button")).toBeNull();
});

test("back in the organisation that it was started in, the form continues as before", () => {
  const switchTo = openAndSwitch({ personal: false });
  switchTo(quay);
  expect(screen.queryByRole("button")).toBeNull();
  expect([name().value, pageOrganisation.organisationId()]).toEqual(["Bob", "quay"]);
});

test("a page without unsaved changes restarts without asking; forms about the user stay", () => {
  openAndSwitch(null);
  expect([name().value, pageOrganisation.organisationId()]).toEqual(["", "third"]);
  cleanup();
  openAndSwitch({ personal: true });
  expect([name().value, pageOrganisation.organisationId()]).toEqual(["Bob", "third"]);
  expect(screen.queryByRole("button")).toBeNull();
});

test("a user who has switched here, and was asked before, isn't asked again", () => {
  const { rerender } = render(<Page active={quay} />);
  typeName();
  drop = unsavedForms.add({ personal: false, ask: async () => true });
  pageOrganisation.set("third");
  act(() => rerender(<Page active={third} />));
  expect([name().value, screen.queryByRole("button")]).toEqual(["", null]);
});
