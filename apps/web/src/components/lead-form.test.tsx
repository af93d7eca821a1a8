// @vitest-environment happy-dom
import type { Lead } from "@leadline/contract/leads";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ProblemError } from "../data/problem-error.ts";
import { leadsWithNumberQuery } from "../data/leads-query.ts";
import { bob } from "../data/testing/some-lead.ts";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { LeadForm } from "./lead-form.tsx";

const save = vi.fn<() => Promise<void>>(async () => {});
afterEach(() => {
  cleanup();
  save.mockClear();
});

const phone = "+12025550100";
const openForm = (lead?: Lead) =>
  showScreens({
    at: "/leads/new",
    screens: {
      "/leads/new": () =>
        lead ? (
          <LeadForm lead={lead} onSave={save} saveLabel="Save" cancel={null} />
        ) : (
          <LeadForm onSave={save} saveLabel="Save" cancel={null} />
        ),
      "/leads/$leadId": () => null,
    },
    known: [[leadsWithNumberQuery(phone).queryKey, [bob]]],
  });
const field = (name: string) => screen.getByLabelText(name);
const leaveField = (name: string) => act(async () => fireEvent.blur(field(name)));

test("a number that another lead has links to that lead, and can still be saved", async () => {
  await openForm();
  for (const [name, value] of [
    ["First name", "Rob"],
    ["Last name", "Rock"],
    ["Email", "rob@rock.example"],
    ["Phone", phone],
  ] as const)
    fireEvent.input(field(name), { target: { value } });
  await leaveField("Phone");
  const hint = screen.getByText(/has this number already\.$/);
  expect(hint.textContent).toBe("Bob Stone has this number already.");
  expect(screen.getByRole("link", { name: "Bob Stone" }).getAttribute("href")).toBe("/leads/bob");
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Save" })));
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
});

test("a lead's own number isn't reported as a duplicate", async () => {
  await openForm(bob);
  await leaveField("Phone");
  expect(screen.queryByText(/has this number already/)).toBeNull();
});

test("a half-typed day isn't saved as none: the form says so, and accepts it once it is complete or cleared", async () => {
  await openForm(bob);
  const day = screen.getByLabelText(/^Call back on/);
  const typeHalf = (badInput: boolean) =>
    Object.defineProperty(day, "validity", { value: { badInput }, configurable: true });
  const press = () => act(async () => fireEvent.click(screen.getByRole("button", { name: "Save" })));
  typeHalf(true);
  fireEvent.input(field("First name"), { target: { value: "B" } });
  await press();
  screen.getByText("Enter a full date, or clear the field.");
  screen.getByText("First name must be at least 2 characters.");
  fireEvent.input(field("First name"), { target: { value: "Bobby" } });
  await press();
  expect(save).not.toHaveBeenCalled();
  typeHalf(false);
  await act(async () => fireEvent.keyUp(day, { key: "Backspace" }));
  await waitFor(() => expect(screen.queryByText("Enter a full date, or clear the field.")).toBeNull());
  await press();
  await waitFor(() => expect(save).toHaveBeenCalledWith({ firstName: "Bobby" }));
});

test("a CRM lead without a first name or an email can be changed: only changed fields are validated and sent", async () => {
  await openForm({ ...bob, firstName: "", email: "", phone: "555 01", followUpOn: "2026-11-30" });
  const press = () => act(async () => fireEvent.click(screen.getByRole("button", { name: "Save" })));
  fireEvent.input(field("Last name"), { target: { value: " Stoney " } });
  await act(async () => fireEvent.input(screen.getByLabelText(/^Call back on/), { target: { value: "" } }));
  fireEvent.input(field("Email"), { target: { value: "b@x" } });
  await press();
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual([
    "Email must be at least 6 characters.",
  ]);
  fireEvent.input(field("Email"), { target: { value: "" } });
  await press();
  await waitFor(() => expect(save).toHaveBeenCalledExactlyOnceWith({ lastName: "Stoney", followUpOn: null }));
});

test("of several fields that the server refuses, the first on the page is focused", async () => {
  await openForm();
  for (const [name, value] of [
    ["First name", "Rob"],
    ["Last name", "Rock"],
    ["Email", "rob@rock.example"],
    ["Phone", "+12025550111"],
  ] as const)
    fireEvent.change(field(name), { target: { value } });
  const errors = [
    { field: "phone", message: "Phone must be at least 8 characters." },
    { field: "lastName", message: "Last name must be at least 2 characters." },
  ];
  save.mockRejectedValueOnce(
    new ProblemError({ code: "invalid-input", title: "Invalid", detail: "Two fields are wrong.", status: 422, errors }),
  );
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Save" })));
  await screen.findByText("Last name must be at least 2 characters.");
  await waitFor(() => expect(document.activeElement).toBe(field("Last name")));
});

test("marks every field that is wrong at once, and puts the keyboard into the first", async () => {
  await openForm(bob);
  fireEvent.input(field("Last name"), { target: { value: "" } });
  fireEvent.input(field("Email"), { target: { value: "bob@" } });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Save" })));
  screen.getByText("Last name must be at least 2 characters.");
  screen.getByText("Email must be at least 6 characters.");
  await waitFor(() => expect(document.activeElement).toBe(field("Last name")));
});

test("each text field reads from the side of what is typed, and a day from the browser’s", async () => {
  await openForm(bob);
  expect(["First name", "Last name", "Email"].map((name) => field(name).getAttribute("dir"))).toEqual(
    Array(3).fill("auto"),
  );
  expect(screen.getByLabelText(/^Call back on/).getAttribute("dir")).toBeNull();
});
