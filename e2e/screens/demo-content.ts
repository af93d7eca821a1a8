import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../apps/server/src/db/database.ts";
import { createFileStore } from "../../apps/server/src/features/files/file-store.ts";
import { leaveMessage } from "../../apps/server/src/testing/left-messages.ts";
import { leavePastCalls, type PastCall } from "../../apps/server/src/testing/past-calls.ts";
import { askAt, type Person } from "../../testing/sign-up.ts";
import { demoLeads, leadNotes, notToBeCalled, team } from "./demo-people.ts";

export interface DemoWorld {
  person: Person;
  colleague: Person;
  leadId: string;
  organisationId: string;
  /** Of the account that is connected by API key. */
  accountCarrierId: string;
  /** A time zone in the middle of a working day, so that charts have data at any hour. */
  timeZone: string;
}

/** The password of everyone in the team. */
export const demoPassword = "sounding line demo";

interface DemoDeps {
  address: string;
  dataDir: string;
  database: Database;
}

const zones = ["Pacific/Auckland", "Asia/Tokyo", "Asia/Dubai", "Europe/Berlin", "America/New_York", "Pacific/Honolulu"];
const hourIn = (timeZone: string): number =>
  Number(new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" }).format(new Date()));
const afternoonZone = (): string =>
  zones.toSorted((one, other) => Math.abs(hourIn(one) - 16) - Math.abs(hourIn(other) - 16))[0] ?? "UTC";

/** A team of three in its second week, created through the API; only past calls are inserted directly. */
export async function makeDemoContent({ address, dataDir, database }: DemoDeps): Promise<DemoWorld> {
  const timeZone = afternoonZone();
  const [owner, ...others] = team.map((one) => ({ ...one, password: demoPassword }));
  if (owner === undefined) throw new Error("the team is empty");
  const person = await signIn(address, owner);
  const ask = (path: string, options: { method?: string; body?: object } = {}) =>
    askAt(address, path, { ...options, token: person.token });
  const about = "Ropes, blocks and winches for people who sail for a living";
  const body = { name: "Harbour Tools", description: about, website: "https://harbourtools.example", timeZone };
  const { id: organisationId } = await ask("/v1/organisations", { body });
  const ids = [(await ask("/v1/users/me")).id];
  let colleague = person;
  for (const [index, one] of others.entries()) {
    const role = index === 0 ? "admin" : "member";
    await ask("/v1/invitations", { body: { email: one.email, role, currentPassword: owner.password } });
    colleague = await signIn(address, one);
    const token = await mailedToken(dataDir, index + 1);
    await askAt(address, "/v1/invitations/accept", { body: { token }, token: colleague.token });
    ids.push((await askAt(address, "/v1/users/me", { token: colleague.token })).id);
  }
  await ask("/v1/invitations", { body: { email: "joanna.reed@harbourtools.example", role: "member" } });
  await ask("/v1/limits", {
    method: "PUT",
    body: { allowedCountries: ["US", "GB"], currentPassword: owner.password },
  });
  await buyNumbers(ask);
  await connectTrunk(ask);
  const accountCarrierId = await connectByKey(ask);
  await ask("/v1/do-not-call", { body: { phoneNumber: notToBeCalled } });
  const leadId = await enterLeads(ask);
  const outcomes: { id: string }[] = await ask("/v1/call-outcomes");
  const calls = pastCalls({ userIds: ids, outcomeIds: outcomes.map(({ id }) => id), timeZone });
  const sids = await leavePastCalls({ database }, { id: ids[0] ?? "", organisationId }, calls, { charged: true });
  const notes = ["Wants the winches quoted by Friday.", "Back from holiday on Monday.", "Sends the drawings first."];
  for (const [index, note] of notes.entries())
    await ask(`/v1/calls/${sids.at(-2 - 3 * index)}/disposition`, { method: "PUT", body: { note } });
  await ask("/v1/voicemail", { method: "PUT", body: { enabled: true } });
  const messages = { database, store: createFileStore(dataDir) };
  for (const message of leftMessages()) await leaveMessage(messages, { id: ids[0] ?? "", organisationId }, message);
  return { person, colleague, leadId, organisationId, accountCarrierId, timeZone };
}

/** The newest last. */
function leftMessages() {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const [first, second] = demoLeads.map(({ phone }) => phone.replaceAll(/[^\d+]/g, ""));
  const calledNumber = "+442079460123";
  return [
    { at: ago(52), phoneNumber: first ?? "", calledNumber, durationMs: 34_000, heard: true },
    { at: ago(31), phoneNumber: "+442079460188", calledNumber, durationMs: 12_000 },
    { at: ago(4), phoneNumber: second ?? "", calledNumber, durationMs: 65_000 },
  ];
}

type Ask = (path: string, options?: { method?: string; body?: object }) => ReturnType<typeof askAt>;

/** Where each team member has signed in. The last one takes the pictures. */
const browsers = [
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
];

async function signIn(address: string, person: (typeof team)[number] & { password: string }): Promise<Person> {
  await askAt(address, "/v1/register", { body: person });
  const { email, password } = person;
  let tokens = { token: "", refresh_token: "" };
  for (const browser of browsers) {
    const answer = await fetch(`${address}/api/v1/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": browser },
      body: JSON.stringify({ email, password }),
    });
    tokens = await answer.json();
  }
  return { email, password, token: tokens.token, refreshToken: tokens.refresh_token };
}

/** Waits until this many mails have arrived. Without a mail server they are files. */
async function mailedToken(dataDir: string, count: number): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const folder = join(dataDir, "mail");
    const mails = tries === 0 ? [] : readdirSync(folder).toSorted();
    const text = mails.length < count ? "" : readFileSync(join(folder, mails[count - 1] ?? ""), "utf8");
    // Quoted-printable breaks long lines with = at the end.
    const token = /\/invitation#([\w-]{20,})/.exec(text.replaceAll("=\r\n", ""))?.[1];
    if (token !== undefined) return token;
    await sleep(50);
  }
  throw new Error("the invitation's mail did not come");
}

async function buyNumbers(ask: Ask): Promise<void> {
  for (const [countryCode, label] of Object.entries({ US: "Main line", GB: "London office", DE: "Hamburg office" })) {
    const [first] = await ask(`/v1/phone-numbers/available?countryCode=${countryCode}`);
    const { id } = await ask("/v1/phone-numbers", { body: { number: first.number } });
    await ask(`/v1/phone-numbers/${id}`, { method: "PUT", body: { label, isCallerId: countryCode === "US" } });
  }
}

const trunk = { kind: "sip-trunk", pricePerMinute: 13_000 };

/** Carried the calls of past days. Taken out of use, so that the demo's own calls use the sandbox. */
async function connectTrunk(ask: Ask): Promise<void> {
  const settings = { host: "192.0.2.10", transport: "udp", authentication: "ip", numbers: ["+442079460123"] };
  const { id } = await ask("/v1/carriers", { body: { ...trunk, label: "Office PBX", settings } });
  await ask(`/v1/carriers/${id}`, { method: "PUT", body: { inUse: false } });
}

/** Disabled like the other one, once its trunk exists. */
async function connectByKey(ask: Ask): Promise<string> {
  const [kind]: { vendor: string; name: string; sandboxKey: object }[] = await ask("/v1/carrier-accounts/kinds");
  if (kind === undefined) throw new Error("no vendor is connected by key");
  await ask("/v1/carrier-accounts", { body: { vendor: kind.vendor, label: kind.name, key: kind.sandboxKey } });
  for (let tries = 0; tries < 200; tries += 1) {
    const [account]: { state: string; carrierId: string }[] = await ask("/v1/carrier-accounts");
    if (account?.state === "connected") {
      await ask(`/v1/carriers/${account.carrierId}`, { method: "PUT", body: { inUse: false } });
      return account.carrierId;
    }
    await sleep(50);
  }
  throw new Error("the account was not connected");
}

/** Returns the lead whose page is shown. */
async function enterLeads(ask: Ask): Promise<string> {
  let shown = "";
  const today = new Date().toISOString().slice(0, 10);
  for (const [index, lead] of demoLeads.entries()) {
    const followUpOn = index < 4 ? today : null;
    const { id } = await ask("/v1/leads", { body: { ...lead, followUpOn } });
    if (index === 0) shown = id;
  }
  for (const text of leadNotes) await ask(`/v1/leads/${shown}/notes`, { body: { text } });
  return shown;
}

interface Recipe {
  userIds: readonly string[];
  outcomeIds: readonly string[];
  timeZone: string;
}

/** Two weeks of calls, newest last; the same at every run except for the dates. */
function pastCalls({ userIds, outcomeIds, timeZone }: Recipe): PastCall[] {
  const now = Date.now();
  const nowHour = hourIn(timeZone);
  const calls: PastCall[] = [];
  let drawn = 7;
  const draw = (below: number): number => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn % below;
  };
  const perHour = [0, 0, 0, 0, 0, 0, 0, 0, 3, 7, 9, 6, 2, 5, 8, 7, 4, 1, 0, 0, 0, 0, 0, 0];
  for (let day = 13; day >= 0; day -= 1) {
    perHour.forEach((usual, hour) => {
      for (let count = day === 0 ? usual : usual - draw(4); count > 0; count -= 1) {
        const at = now - day * 86_400_000 - (nowHour - hour) * 3_600_000 - draw(50) * 60_000;
        if (at < now - 60_000)
          calls.push({ at: new Date(at).toISOString(), ...oneCall(draw, { userIds, outcomeIds }) });
      }
    });
  }
  return calls.toSorted((one, other) => one.at.localeCompare(other.at));
}

function oneCall(
  draw: (below: number) => number,
  { userIds, outcomeIds }: Omit<Recipe, "timeZone">,
): Omit<PastCall, "at"> {
  const userId = userIds[draw(userIds.length)] ?? "";
  const phoneNumber = demoLeads[draw(demoLeads.length)]?.phone.replaceAll(/[^\d+]/g, "") ?? "+12025550100";
  const fate = draw(10);
  const made = { userId, phoneNumber, carrier: trunk.kind, pricePerMinuteMicros: trunk.pricePerMinute };
  if (fate < 2) return { ...made, status: "no-answer" };
  if (fate === 2) return { ...made, status: "busy" };
  const talkMs = 20_000 + draw(60) * draw(9) * 1_000;
  const outcomeId = fate === 3 ? {} : { outcomeId: outcomeIds[draw(Math.min(outcomeIds.length, 5))] ?? "" };
  return { ...made, talkMs, setupMs: 900 + draw(2_400), ...outcomeId };
}
