// @vitest-environment happy-dom
import type { NumberRenewals } from "@leadline/contract/phone-numbers";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { numberUseQuery, phoneNumbersQuery } from "../../data/phone-numbers-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { BuyNumberDialog } from "./buy-number-dialog.tsx";
import { PhoneNumbersScreen } from "./phone-numbers-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const owned = {
  id: "number",
  number: "+12025551000",
  provider: "Sandbox",
  createdAt: "2026-11-20T09:00:00.000Z",
  label: null,
  isCallerId: true,
  accountId: null,
  monthlyCost: 1_000_000,
};
const sandbox = { accountId: null, name: "Sandbox", label: "Sandbox", isSandbox: true };
const bySandbox = { carrier: "Sandbox", usesNumbers: true, accountId: null, sellers: [sandbox] };
const byTrunk = { ...bySandbox, carrier: "Main trunk", usesNumbers: false };
const oneCallerId = {
  numbers: [{ number: owned.number, label: null }],
  automatic: { number: owned.number, reason: "organisation-default" },
  memberDefault: null,
  localPresence: false,
};
const saved: [path: string, body: unknown][] = [];
interface Shown {
  callerIds?: object;
  use: typeof bySandbox;
  numbers?: readonly (typeof owned)[];
  role?: string;
  renewals?: NumberRenewals["renewals"];
  Screen?: () => React.ReactNode;
}

/** Metered unless renewals are given. */
function open(shown: Shown) {
  const {
    use,
    numbers = [owned],
    role = "owner",
    renewals,
    Screen = PhoneNumbersScreen,
    callerIds = oneCallerId,
  } = shown;
  const summary = { mode: renewals ? "prepaid" : "metered" };
  vi.stubGlobal("fetch", async (url: URL | string, init?: RequestInit) => {
    const { pathname } = new URL(url, location.href);
    if (pathname.endsWith("/number-orders")) return Response.json([]);
    if (pathname.endsWith("/billing/summary")) return Response.json(summary);
    if (pathname.endsWith("/renewals"))
      return Response.json({ renewals: renewals ?? [], dueSoon: { micros: 0, isCovered: true } });
    if (pathname.endsWith("/caller-ids")) return Response.json(callerIds);
    if (pathname.includes("/caller-ids/")) {
      saved.push([pathname, JSON.parse(String(init?.body))]);
      return Response.json(callerIds);
    }
    return Response.json(pathname.endsWith("/use") ? use : numbers);
  });
  return showScreens({
    at: "/settings/phone-numbers",
    screens: {
      "/settings/phone-numbers": Screen,
      "/settings/phone-numbers/assign": () => null,
      "/settings/carriers": () => null,
    },
    known: [
      [meQuery.queryKey, { id: "me", activeOrganisation: { id: "harbour", role } }],
      [phoneNumbersQuery.queryKey, numbers],
      [numberUseQuery.queryKey, use],
    ],
  });
}
const notice = () => screen.queryByText("Calls go through Main trunk now");
const said = () => document.body.textContent;

test("while calls go through the sandbox, the caller ID is one of its numbers", async () => {
  await open({ use: bySandbox });
  expect(said()).toMatch(/People you call see the number marked as caller ID\./);
  expect(notice()).toBeNull();
});

test("a prepaid organisation sees when its number renews, or will be released because it isn't paid", async () => {
  const renewal = { id: "number", number: owned.number, costMicros: 1_000_000, renewsOn: "2030-03-31" };
  await open({ use: bySandbox, renewals: [{ ...renewal, releaseOn: null }] });
  expect(await screen.findByText(/^Renews .*2030/)).not.toBeNull();
  expect(said()).toMatch(/Your balance is charged each month\./);
  cleanup();
  await open({ use: bySandbox, renewals: [{ ...renewal, releaseOn: "2030-04-07" }] });
  expect(await screen.findByText(/^Unpaid, released on .*2030/)).not.toBeNull();
});

test("while calls use the organisation's own carrier, no sandbox number is described as shown or ringing", async () => {
  await open({ use: byTrunk });
  expect(notice()).not.toBeNull();
  expect(said()).toMatch(/It doesn’t use sandbox numbers/);
  expect(screen.getByRole("link", { name: "Carriers" }).getAttribute("href")).toBe("/settings/carriers");
  expect(said()).not.toMatch(/People you call see/);
  expect(within(screen.getByRole("table")).getByText("Caller ID in the sandbox")).toBeTruthy();
  cleanup();
  await open({ use: byTrunk, numbers: [], role: "member" });
  expect(notice()).not.toBeNull();
  expect(said()).toMatch(/the caller ID is set in the carrier’s settings, by the owner of your organisation\./);
  expect(screen.queryByRole("link", { name: "Carriers" })).toBeNull();
  expect(said()).toMatch(/Calls through Main trunk don’t need one/);
  expect(said()).not.toMatch(/Calls go out without a caller ID/);
});

test("a buyer is told that the number is made up, and which carrier doesn't use it", async () => {
  const offered = {
    number: "+12025551001",
    location: "Washington",
    region: null,
    capabilities: { voice: true, sms: false, mms: false, fax: false },
    monthlyCost: 1_000_000,
    requirement: null,
  };
  const told = vi.spyOn(toast, "success");
  const Screen = () => <BuyNumberDialog offered={offered} seller={sandbox} countryCode="US" onClose={() => {}} />;
  await open({ use: byTrunk, Screen });
  const dialog = screen.getByRole("dialog");
  expect(dialog.textContent).toMatch(/The number and its fee aren’t real/);
  expect(dialog.textContent).toMatch(/Not used: your calls go through Main trunk/);
  expect(dialog.textContent).not.toMatch(/You can use it right away/);
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Buy number" })));
  await vi.waitFor(() =>
    expect(told).toHaveBeenCalledWith("+1 202 555 1001 is now yours in the sandbox. Main trunk doesn’t use it."),
  );
  told.mockRestore();
});

test("with several numbers, a member can choose a default, and only an admin local presence", async () => {
  const callerIds = { ...oneCallerId, numbers: [...oneCallerId.numbers, { number: "+17205550100", label: "Sales" }] };
  await open({ use: bySandbox, callerIds, role: "member" });
  const local = await screen.findByRole("checkbox", { name: "Show a local number if there is one" });
  expect(local).toHaveProperty("disabled", true);
  fireEvent.keyDown(screen.getByRole("combobox", { name: "Your calls show" }), { key: "Enter" });
  fireEvent.keyDown(await screen.findByRole("option", { name: "+1 720 555 0100 · Sales" }), { key: "Enter" });
  await vi.waitFor(() => expect(saved.at(-1)).toEqual(["/api/v1/caller-ids/default", { number: "+17205550100" }]));
  cleanup();
  await open({ use: bySandbox, callerIds, role: "admin" });
  fireEvent.click(await screen.findByRole("checkbox", { name: "Show a local number if there is one" }));
  await vi.waitFor(() => expect(saved.at(-1)).toEqual(["/api/v1/caller-ids/local-presence", { enabled: true }]));
  cleanup();
  await open({ use: bySandbox });
  expect(screen.queryByText("Your calls show")).toBeNull();
});
