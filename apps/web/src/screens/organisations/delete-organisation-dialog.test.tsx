// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { membersQuery } from "../../data/members-query.ts";
import { phoneNumbersQuery } from "../../data/phone-numbers-query.ts";
import { quay } from "../../data/testing/some-organisation.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { DeleteOrganisationDialog } from "./delete-organisation-dialog.tsx";

const close = vi.fn<() => void>();
afterEach(() => {
  cleanup();
  close.mockClear();
  vi.unstubAllGlobals();
});

const refusal = {
  type: "/api/docs#organisation-in-use",
  title: "The organisation can’t be deleted yet",
  status: 409,
  detail: "Someone in this organisation is on a call. Delete it once all calls have ended.",
};
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Delete organisation" });
const press = () => act(async () => fireEvent.click(button()));

test("deletes an organisation once its name is typed; a refusal shows its reason until nothing is in the way", async () => {
  const asked: string[] = [];
  let answer = Response.json(refusal, { status: 409 });
  vi.stubGlobal("fetch", async (url: URL | string, { method = "GET" }: RequestInit = {}) => {
    if (method === "GET") return Response.json([]);
    asked.push(`${method} ${new URL(url, location.href).pathname}`);
    return answer;
  });
  await showScreens({
    at: "/settings/organisations",
    screens: { "/settings/organisations": () => <DeleteOrganisationDialog organisation={quay} onClose={close} /> },
    known: [[meQuery.queryKey, { id: "me", activeOrganisation: quay }]],
  });
  const field = await screen.findByLabelText("Type “Quay” to confirm");
  for (const [typed, isDisabled] of [
    ["", true],
    ["quay", true],
    ["Quay ", false],
  ] as const) {
    fireEvent.change(field, { target: { value: typed } });
    expect({ typed, isDisabled: button().disabled }).toEqual({ typed, isDisabled });
  }
  await press();
  await screen.findByText(refusal.detail);
  expect(close).not.toHaveBeenCalled();
  answer = new Response(null, { status: 204 });
  await press();
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(asked).toEqual(Array.from({ length: 2 }, () => `DELETE /api/v1/organisations/${quay.id}`));
});

interface Held {
  organisation?: typeof quay;
  active?: typeof quay;
  members?: readonly { role: string }[];
  numbers?: readonly object[];
}
const open = ({ organisation = quay, active = quay, members = [{ role: "owner" }], numbers = [] }: Held) =>
  showScreens({
    at: "/settings/organisations",
    screens: {
      "/settings/organisations": () => <DeleteOrganisationDialog organisation={organisation} onClose={close} />,
      "/settings/members": () => null,
      "/settings/phone-numbers": () => null,
    },
    known: [
      [meQuery.queryKey, { id: "me", activeOrganisation: active }],
      [membersQuery.queryKey, members],
      [phoneNumbersQuery.queryKey, numbers],
    ],
  });
const reasons = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);

test("shows what prevents the deletion before the name is typed, each with a link to fix it", async () => {
  await open({
    organisation: { ...quay, balance: 2_500_000 },
    members: [{ role: "owner" }, { role: "owner" }],
    numbers: [{}, {}],
  });
  expect(screen.getByRole("dialog", { name: "Quay can’t be deleted yet" })).toBeTruthy();
  expect(reasons()).toEqual([
    expect.stringMatching(/^It has other owners/),
    "It still has 2 phone numbers. Release them under Phone numbers first.",
    expect.stringMatching(/^\$2\.50 remains on its balance/),
  ]);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/settings/members",
    "/settings/phone-numbers",
  ]);
  expect([screen.queryByRole("textbox"), screen.queryByRole("button", { name: "Delete organisation" })]).toEqual([
    null,
    null,
  ]);
});

test("for an inactive organisation, checks only its own data, and says that there may be more", async () => {
  const elsewhere = { active: { ...quay, id: "pier" }, members: [{ role: "owner" }, { role: "owner" }], numbers: [{}] };
  await open(elsewhere);
  expect(screen.getByLabelText("Type “Quay” to confirm")).toBeTruthy();
  expect(screen.getByText(/while it has other owners, a phone number/)).toBeTruthy();
  cleanup();
  await open({ ...elsewhere, organisation: { ...quay, balance: -1_000_000 } });
  expect(reasons()).toEqual(["$1.00 is still owed on its balance. Settle it first."]);
});

test("offers the active organisation's statement and receipts, which are deleted too", async () => {
  const asked: string[] = [];
  const none = { type: "/api/docs#not-found", title: "Not found", status: 404, detail: "There are no receipts." };
  vi.stubGlobal("fetch", async (url: URL | string) => {
    asked.push(new URL(url, location.href).pathname);
    return Response.json(none, { status: 404 });
  });
  await open({});
  for (const [label, path] of [
    ["Download the statement", "/api/v1/billing/entries/export"],
    ["Download the receipts", "/api/v1/billing/receipts"],
  ] as const) {
    fireEvent.click(screen.getByRole("button", { name: label }));
    await waitFor(() => expect(asked).toContain(path));
  }
  expect(await screen.findAllByText(none.detail)).toHaveLength(2);
  cleanup();
  await open({ active: { ...quay, id: "pier" } });
  expect(screen.queryByRole("button", { name: /^Download/ })).toBeNull();
});
