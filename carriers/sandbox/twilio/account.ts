import type { VendorResponse, VendorRequest } from "../vendor/serve-vendor.ts";
import { created, gone, notFound, ok, oldDate, oldPage, oldPageOf, refused } from "./answers.ts";
import { answerNumbers } from "./numbers.ts";
import { accountSid, type Address, type Call, type CredentialList, newSid, type State } from "./state.ts";

const root = `/2010-04-01/Accounts/${accountSid}`;
const centsAMinute = 1.3;
const pricedAfterMs = 2_000;

/** api.twilio.com/2010-04-01; null for a path that isn't its. */
export function answerAccount(state: State, request: VendorRequest): VendorResponse | null {
  if (!request.path.startsWith("/2010-04-01/")) return null;
  const form = new URLSearchParams(request.body);
  if (request.path === `${root}.json`) return ok(account);
  if (!request.path.startsWith(`${root}/`)) return notFound(request.path);
  const path = request.path.slice(root.length);
  if (path === "/Balance.json") return ok({ account_sid: accountSid, balance: "20.00", currency: "USD" });
  if (path === "/Calls.json") return oldPageOf(request, "calls", callsOf(state, request.query));
  if (path === "/Addresses.json") return oldPage(request.path, "addresses", state.addresses.map(presentAddress));
  if (path.startsWith("/SIP/")) return answerCredentials(state, request, { path, form });
  return answerNumbers(state, request, { path, root, form });
}

const account = {
  sid: accountSid,
  owner_account_sid: accountSid,
  friendly_name: "Sandbox account",
  auth_token: null,
  status: "active",
  type: "Full",
  date_created: oldDate("2026-01-05T09:00:00Z"),
  date_updated: oldDate("2026-01-05T09:00:00Z"),
  uri: `${root}.json`,
  subresource_uris: { calls: `${root}/Calls.json` },
};

const presentAddress = ({ sid, countryCode }: Address) => ({
  account_sid: accountSid,
  sid,
  friendly_name: null,
  customer_name: "Sandbox",
  street: "1 Main Street",
  street_secondary: null,
  city: "Anytown",
  region: "",
  postal_code: "10000",
  iso_country: countryCode,
  emergency_enabled: false,
  validated: true,
  verified: true,
  date_created: account.date_created,
  date_updated: account.date_updated,
  uri: `${root}/Addresses/${sid}.json`,
});

function answerCredentials(
  state: State,
  request: VendorRequest,
  { path, form }: { path: string; form: URLSearchParams },
): VendorResponse | null {
  const [, sid, sub, subSid] =
    /^\/SIP\/CredentialLists(?:\/(CL\w+))?(?:\/(Credentials)(?:\/(CR\w+))?)?\.json$/.exec(path) ?? [];
  if (!path.startsWith("/SIP/CredentialLists")) return null;
  if (sid === undefined) {
    if (request.method === "GET")
      return oldPage(request.path, "credential_lists", state.credentialLists.map(presentList));
    const friendlyName = form.get("FriendlyName") ?? "";
    const made = { sid: newSid("CL"), friendlyName, credentials: [], createdAt: new Date().toISOString() };
    state.credentialLists.push(made);
    return created(presentList(made));
  }
  const list = state.credentialLists.find((each) => each.sid === sid);
  if (!list) return notFound(request.path);
  if (sub === undefined) {
    if (request.method !== "DELETE") return ok(presentList(list));
    state.credentialLists.splice(state.credentialLists.indexOf(list), 1);
    for (const trunk of state.trunks) trunk.credentialLists = trunk.credentialLists.filter((each) => each !== sid);
    return gone;
  }
  const present = (each: { sid: string; username: string }) => presentCredential(list, each);
  if (request.method === "GET") return oldPage(request.path, "credentials", list.credentials.map(present));
  const password = form.get("Password") ?? "";
  if (password.length < 12 || !/\d/.test(password) || !/[a-z]/.test(password) || !/[A-Z]/.test(password))
    return refused(400, 21245, "Password is too weak: 12 characters, one lowercase, one uppercase and one digit");
  if (subSid === undefined) {
    const username = form.get("Username") ?? "";
    if (list.credentials.some((each) => each.username === username))
      return refused(400, 21250, "Username is already in the list");
    const made = { sid: newSid("CR"), username, password };
    list.credentials.push(made);
    return created(present(made));
  }
  const found = list.credentials.find((each) => each.sid === subSid);
  if (!found) return notFound(request.path);
  found.password = password;
  return ok(present(found));
}

const presentList = ({ sid, friendlyName, createdAt }: CredentialList) => ({
  account_sid: accountSid,
  sid,
  friendly_name: friendlyName,
  date_created: oldDate(createdAt),
  date_updated: oldDate(createdAt),
  subresource_uris: { credentials: `${root}/SIP/CredentialLists/${sid}/Credentials.json` },
  uri: `${root}/SIP/CredentialLists/${sid}.json`,
});

const presentCredential = (list: CredentialList, { sid, username }: { sid: string; username: string }) => ({
  account_sid: accountSid,
  credential_list_sid: list.sid,
  sid,
  username,
  date_created: oldDate(list.createdAt),
  date_updated: oldDate(list.createdAt),
  uri: `${root}/SIP/CredentialLists/${list.sid}/Credentials/${sid}.json`,
});

function callsOf({ calls }: State, query: URLSearchParams): object[] {
  const after = query.get("StartTime>");
  return calls.filter(({ startedAt }) => after === null || Date.parse(startedAt) >= Date.parse(after)).map(presentCall);
}

function presentCall({ sid, trunkSid, from, to, startedAt, endedAt, seconds, status }: Call) {
  const isPriced = Date.now() - Date.parse(endedAt) > pricedAfterMs;
  const price = ((-centsAMinute / 100) * Math.ceil(seconds / 60)).toFixed(5);
  return {
    sid,
    account_sid: accountSid,
    parent_call_sid: null,
    from,
    from_formatted: from,
    to,
    to_formatted: to,
    phone_number_sid: null,
    status,
    start_time: oldDate(startedAt),
    end_time: oldDate(endedAt),
    date_created: oldDate(startedAt),
    date_updated: oldDate(endedAt),
    duration: String(seconds),
    price: isPriced ? price : null,
    price_unit: "USD",
    direction: "trunking-terminating",
    answered_by: null,
    api_version: "2010-04-01",
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    queue_time: "0",
    trunk_sid: trunkSid,
    uri: `${root}/Calls/${sid}.json`,
    subresource_uris: {},
  };
}
