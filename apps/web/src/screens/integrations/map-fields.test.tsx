// @vitest-environment happy-dom
import type { CrmField, CrmFieldMapping } from "@leadline/contract/crm-mapping";
import { Integration } from "@leadline/contract/integrations";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { membersQuery } from "../../data/members-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { MapFields } from "./map-fields.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const nothing = {
  fullName: null,
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  company: null,
  jobTitle: null,
  status: null,
  owner: null,
  nextStep: null,
};
const fields: CrmField[] = [
  { id: "1", name: "Title", kind: "text" },
  { id: "2", name: "Mail", kind: "email" },
  { id: "3", name: "Region", kind: "text" },
  {
    id: "4",
    name: "Stage",
    kind: "choice",
    options: [
      { value: "a", label: "Fresh", status: "New" },
      { value: "b", label: "Hot", status: "Working" },
    ],
  },
];
const none = { custom: [], statuses: {} };
const members = [
  { userId: "eve", firstName: "Eve", lastName: "Lo", email: "eve@x.example", role: "member" },
  { userId: "sam", firstName: "Sam", lastName: "Po", email: "sam@x.example", role: "member" },
];
const crmOwners = [
  { id: "eve@x.example", name: "E. Lo", email: "eve@x.example", mapsTo: "email", userId: null, userIdByEmail: "eve" },
  { id: "Ada Ames", name: "Ada Ames", email: "", mapsTo: "member", userId: "gone", userIdByEmail: null },
];
const kept = ["3", "gone"].map((id) => ({ id, name: id }));

async function show(source: string, suggested = { ...nothing, fullName: "1", email: "2" } as CrmFieldMapping) {
  const integration = Integration.parse({
    id: crypto.randomUUID(),
    label: "Board",
    service: "harbour-crm",
    workspaceDomain: null,
    status: "active",
    problem: null,
    mapping: { source: "kept", sourceName: "Kept", fields: { ...nothing, lastName: "1", phone: "gone" }, custom: kept },
    sendsChanges: false,
    lastSync: null,
  });
  const sent = vi.fn<(body: unknown) => void>();
  const paths: string[] = [];
  vi.stubGlobal("fetch", async (given: RequestInfo, init?: RequestInit) => {
    const request = new Request(given, init);
    const isOwners = request.url.endsWith("/owners");
    if (request.method !== "PUT") return Response.json(isOwners ? crmOwners : []);
    paths.push(new URL(request.url).pathname.split("/").at(-1) ?? "");
    sent(await request.json());
    return isOwners ? new Response(null, { status: 204 }) : Response.json(integration);
  });
  const screens = {
    "/map": () => <MapFields integration={integration} source={source} fields={fields} suggested={suggested} />,
    "/integrations": () => null,
  };
  await showScreens({ at: "/map", screens, known: [[membersQuery.queryKey, members]] });
  const shown = screen.getAllByRole("combobox").map(({ textContent }) => textContent);
  const save = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));
  return { shown, sent, save, paths };
}

test("another source starts with its suggested mapping", async () => {
  const { shown, sent, save } = await show("other");
  save();
  expect(shown).toEqual(["Title", "Nothing", "Nothing", "Mail", ...Array(6).fill("Nothing")]);
  await vi.waitFor(() =>
    expect(sent).toHaveBeenCalledWith({ source: "other", fields: { ...nothing, fullName: "1", email: "2" }, ...none }),
  );
});

test("the saved source starts with its saved mapping, without deleted fields", async () => {
  const { shown, sent, save } = await show("kept");
  save();
  expect(shown).toEqual(["Nothing", "Nothing", "Title", ...Array(7).fill("Nothing")]);
  await vi.waitFor(() =>
    expect(sent).toHaveBeenCalledWith({
      source: "kept",
      fields: { ...nothing, lastName: "1" },
      custom: ["3"],
      statuses: {},
    }),
  );
});

test("saves statuses that differ from Leadline's own reading, and can remove further fields", async () => {
  const { shown, sent, save } = await show("kept", { ...nothing, lastName: "1" });
  expect(shown).not.toContain("Working");
  choose("Status", "Stage");
  expect(screen.getAllByRole("combobox").map(({ textContent }) => textContent)).toContain("Working");
  choose("Fresh", "Qualified");
  fireEvent.click(screen.getByRole("button", { name: "Remove Region" }));
  save();
  await vi.waitFor(() =>
    expect(sent).toHaveBeenCalledWith({
      source: "kept",
      fields: { ...nothing, lastName: "1", status: "4" },
      custom: [],
      statuses: { a: "Qualified" },
    }),
  );
});

test("matches owners by email unless another member or none is chosen, and saving only owners doesn't resync", async () => {
  const { sent, save, paths } = await show("other", { ...nothing, fullName: "1", owner: "3" });
  const eve = await screen.findByRole("combobox", { name: /^E. Lo/ });
  expect(eve.textContent).toBe("By email: Eve Lo");
  expect(screen.getByRole("combobox", { name: "Ada Ames" }).textContent).toBe("Former member");
  choose("Ada Ames", "Sam Po");
  choose(/^E. Lo/, "No member");
  save();
  await vi.waitFor(() => expect(paths).toEqual(["owners"]));
  expect(sent).toHaveBeenCalledExactlyOnceWith({
    owners: [
      { id: "Ada Ames", mapsTo: "member", userId: "sam" },
      { id: "eve@x.example", mapsTo: "no-member" },
    ],
  });
});

test("saves both changed fields and changed owners, but not a choice that was reverted", async () => {
  const { save, paths } = await show("kept", nothing);
  choose("Owner", "Region");
  await screen.findByRole("combobox", { name: "Ada Ames" });
  choose("Ada Ames", "Sam Po");
  save();
  await vi.waitFor(() => expect(paths).toEqual(["mapping", "owners"]));
  cleanup();
  const again = await show("other", { ...nothing, fullName: "1", owner: "3" });
  await screen.findByRole("combobox", { name: "Ada Ames" });
  choose("Ada Ames", "Sam Po");
  choose("Ada Ames", "Former member");
  again.save();
  await vi.waitFor(() => expect(again.paths).toEqual(["mapping"]));
});

function choose(name: string | RegExp, option: string): void {
  const select = screen.getByRole("combobox", { name });
  select.focus();
  fireEvent.keyDown(select, { key: "Enter" });
  fireEvent.click(screen.getByRole("option", { name: option }));
}
