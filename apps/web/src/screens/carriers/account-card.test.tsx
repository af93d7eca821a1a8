// @vitest-environment happy-dom
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import type { CarrierConnection } from "@leadline/contract/carriers";
import type { NumberOrder } from "@leadline/contract/number-orders";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { accountKindsQuery, carrierAccountsQuery } from "../../data/carrier-accounts-query.ts";
import { carrierKindsQuery, carriersQuery } from "../../data/carriers-query.ts";
import { numberOrdersQuery, phoneNumbersQuery } from "../../data/phone-numbers-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { CarriersScreen } from "./carriers-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const carrier: CarrierConnection = {
  id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009",
  kind: "sip-trunk",
  label: "Sales",
  settings: {},
  secretsSet: [],
  callsPerSecond: null,
  channels: null,
  inUse: true,
  state: { level: "working", sentence: "Connected at sales.example." },
  callerId: null,
  createdAt: "2026-11-21T12:00:00.000Z",
};
const inbound = "Inbound calls arrive at 203.0.113.7:5070.";
const account: CarrierAccount = {
  id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0010",
  vendor: "acme",
  label: "Sales",
  state: "connected",
  failure: null,
  steps: [
    { step: "account", done: true, sentence: "The key works." },
    { step: "trunk", done: true, sentence: "The trunk is ready." },
    { step: "credentials", done: true, sentence: "User and password are set." },
    { step: "inbound", done: true, sentence: inbound },
  ],
  trunk: "leadline-0b0c3b8e5a6d",
  carrierId: carrier.id,
  carrierRemoved: false,
  isUsed: true,
  addressChange: null,
  isSandbox: false,
  balance: null,
  restriction: null,
  createdAt: "2026-11-21T12:00:00.000Z",
};

async function show(
  given: {
    state?: CarrierConnection["state"];
    account?: Partial<CarrierAccount>;
    form?: object;
    orders?: Partial<NumberOrder>[];
    callerId?: CarrierConnection["callerId"];
    numbers?: { accountId: string | null }[];
  } = {},
) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: URL | string, init?: RequestInit) => {
    asked.push(`${init?.method ?? "GET"} ${new URL(url, location.href).pathname}`);
    return init?.method === "DELETE" ? new Response(null, { status: 204 }) : Response.json([]);
  });
  await showScreens({
    at: "/settings/carriers",
    screens: { "/settings/carriers": CarriersScreen },
    known: [
      [meQuery.queryKey, { activeOrganisation: { id: "o", name: "Acme", role: "owner" } }],
      [
        carriersQuery.queryKey,
        [{ ...carrier, callerId: given.callerId ?? null, ...(given.state && { state: given.state }) }],
      ],
      [carrierKindsQuery.queryKey, []],
      [numberOrdersQuery.queryKey, given.orders ?? []],
      [phoneNumbersQuery.queryKey, given.numbers ?? [{ accountId: account.id }]],
      [carrierAccountsQuery.queryKey, [{ ...account, ...given.account }]],
      [
        accountKindsQuery.queryKey,
        [{ vendor: "acme", name: "Acme Telecom", keyHelp: "", form: given.form ?? {}, sandboxKey: null, byHand: [] }],
      ],
    ],
  });
  return asked;
}

const card = () => within(screen.getByRole("region", { name: "Sales, Acme Telecom account" }));
const lastStep = () => card().getAllByRole("listitem").at(-1)?.textContent;

test("a connected account says whether calls are possible now, by the state of its trunk", async () => {
  await show();
  card().getByText("Connected");
  expect(card().getAllByRole("img", { name: "Done" })).toHaveLength(4);
  expect(lastStep()).toBe(`Calls possible. ${inbound}`);
  cleanup();

  const sentence = "sales.example does not answer. We keep trying.";
  await show({ state: { level: "down", sentence } });
  card().getByText("Trunk down");
  expect(card().queryByText("Connected")).toBeNull();
  card().getByRole("img", { name: "Down" });
  expect(card().getAllByRole("img", { name: "Done" })).toHaveLength(3);
  expect(lastStep()).toBe(`No calls possible now. ${sentence}`);
  cleanup();

  await show({ state: { level: "starting", sentence: "Reaching sales.example." } });
  expect(lastStep()).toMatch(/Checking the trunk\. Reaching sales\.example\./);
  expect(card().getAllByRole("img", { name: "Done" })).toHaveLength(3);
  cleanup();

  await show({ state: { level: "unused", sentence: "No calls go there." } });
  expect(lastStep()).toMatch(/It isn’t in use, so no calls go there yet\./);
});

test("an account whose vendor calls a former address of the server says so, and how to correct that", async () => {
  const words = /^Acme Telecom sends inbound calls to 203\.0\.113\.7, but this server’s address is now 203\.0\.113\.9/;
  await show();
  expect(card().queryByText(words)).toBeNull();
  cleanup();
  await show({ account: { addressChange: { from: "203.0.113.7", to: "203.0.113.9" } } });
  expect(card().getByText(words).textContent).toMatch(
    /9, so calls to .* may not arrive\. Connect again to correct that\.$/,
  );
  cleanup();
  await show({ account: { addressChange: { from: "203.0.113.7", to: null } } });
  card().getByText(
    /^Acme Telecom sends inbound calls to 203\.0\.113\.7, but this server no longer takes calls there, so /,
  );
});

test("a connected account without a number says that it can't call, and where to get one", async () => {
  const sentence = /^No number yet: Acme Telecom refuses calls that show none of this account’s numbers\./;
  const unverified = { number: "+12025550142", unverifiedAt: ["sales.example"] };
  for (const without of [{ numbers: [] }, { numbers: [{ accountId: null }], callerId: unverified }]) {
    await show(without);
    card().getByText(sentence);
    expect(lastStep()).toBe(`No outbound calls without a number. ${inbound}`);
    const link = card().getByRole("link", { name: "Get a phone number" });
    expect(link.getAttribute("href")).toBe(`/settings/phone-numbers/assign?account=${account.id}`);
    cleanup();
  }
  for (const given of [
    { numbers: [{ accountId: account.id }] },
    { numbers: [], callerId: { ...unverified, unverifiedAt: [] } },
    { numbers: [], account: { state: "connecting" } as const },
  ]) {
    await show(given);
    expect(card().queryByText(sentence)).toBeNull();
    cleanup();
  }
});

test("a carrier that was connected by API key is disconnected, which also removes what was made at the vendor", async () => {
  const asked = await show();
  fireEvent.keyDown(screen.getByRole("button", { name: "Actions for Sales" }), { key: "Enter" });
  expect(await screen.findByRole("menuitem", { name: "Disconnect" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Remove" })).toBeNull();
  fireEvent.click(screen.getByRole("menuitem", { name: "Disconnect" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Disconnect Sales?" }));
  dialog.getByText(/What Leadline made at Acme Telecom, all of it called leadline-0b0c3b8e5a6d, is removed there/);
  fireEvent.click(dialog.getByRole("button", { name: "Disconnect" }));
  await waitFor(() => expect(asked).toContain(`DELETE /api/v1/carrier-accounts/${account.id}`));
});

test("disconnecting names the numbers that are still on order or being released there", async () => {
  const shared = {
    state: "pending",
    sentence: null,
    provider: "Acme Telecom",
    since: "2026-11-21T12:00:00.000Z",
  } as const;
  const orders = [
    { ...shared, id: "1", accountId: account.id, number: "+12125550100" },
    { ...shared, id: "2", accountId: carrier.id, number: "+12125550101" },
    { ...shared, id: "3", accountId: account.id, number: "+12125550102", state: "bought" as const },
    { ...shared, id: "4", accountId: account.id, number: "+12125550103", state: "releasing" as const },
    { ...shared, id: "5", accountId: account.id, number: "+12125550104", state: "releasing" as const },
  ];
  await show({ orders, account: { state: "failed", failure: "Acme Telecom doesn’t answer." } });
  fireEvent.keyDown(screen.getByRole("button", { name: "Actions for Sales" }), { key: "Enter" });
  fireEvent.click(await screen.findByRole("menuitem", { name: "Disconnect" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Disconnect Sales?" }));
  expect(dialog.getByText(/^\+1 212 555 0100 is still on order\. Leadline cancels that first\./)).toBeTruthy();
  const released = "+1 212 555 0103 and +1 212 555 0104 are still being released.";
  dialog.getByText(`${released} Leadline finishes that first.`);
  fireEvent.click(dialog.getByLabelText("Leave everything at Acme Telecom"));
  dialog.getByText(`${released} Leadline stops trying.`, { exact: false });
});

test("Escape asks before it drops a typed key", async () => {
  const form = { properties: { apiKey: { type: "string", title: "API key" } }, required: ["apiKey"] };
  await show({ account: { state: "failed", failure: "Acme Telecom doesn’t accept this key." }, form });
  fireEvent.click(card().getByRole("button", { name: "Change key" }));
  const dialog = await screen.findByRole("dialog", { name: "Another key for Sales" });
  fireEvent.change(within(dialog).getByLabelText("API key"), { target: { value: "KEY1" } });
  fireEvent.keyDown(dialog, { key: "Escape" });
  expect(await screen.findByRole("dialog", { name: "Leave without saving?" })).toBeTruthy();
});
