import { randomBytes } from "node:crypto";
import { browserRoutes } from "../browser-routes.ts";
import { json, pathOf, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import type { SandboxCrm, SandboxCrmOptions } from "../sandbox-crm.ts";
import { createWebhookSender } from "../send-webhooks.ts";
import { createAssociations } from "./associations.ts";
import { apiError, notFound, rateLimited } from "./errors.ts";
import { createLimits, type Limits, noLimits, vendorLimits } from "./limits.ts";
import { createOAuth, hubId } from "./oauth.ts";
import { createObjects } from "./objects.ts";
import { listOwners, owners } from "./owners.ts";
import { describeProperty, propertiesOf } from "./properties.ts";
import { createRecordPages, textOf } from "./record-pages.ts";
import { openStore } from "./store.ts";
import { createContactWebhooks, type SignatureVersion } from "./webhooks.ts";

const authorisePath = "/oauth/authorize";
const accessMs = 1_800_000;

/** Contacts and calls on loopback, like HubSpot's API. See ../README.md for the differences. */
export async function startSandboxCrm(
  { file, publicUrl, isUnlimited = false }: SandboxCrmOptions,
  options: { limits?: Limits; signature?: SignatureVersion } = {},
): Promise<SandboxCrm> {
  const store = openStore(file);
  const domain = "hubspot.sandbox.leadline.test";
  const app = { clientId: "leadline-on-this-machine", clientSecret: randomBytes(24).toString("base64url") };
  const faults = createFaults();
  const requests = createLimits(options.limits ?? (isUnlimited ? noLimits : vendorLimits));
  const sender = createWebhookSender();
  const { signature = "v3" } = options;
  const report = createContactWebhooks(sender, { clientSecret: app.clientSecret, portalId: hubId, signature });
  const objects = createObjects(store, report);
  const associations = createAssociations(store);
  const { showCall, showContact } = createRecordPages(store.state);
  const oauth = createOAuth({
    store,
    app,
    domain,
    accessMs,
    allowsCallback: (callback, { headers }) => callback.host === headers["host"] || callback.host === publicUrl?.host,
  });

  function answerBrowser(request: SandboxRequest): SandboxResponse {
    const callId = new URL(request.url, "http://sandbox").searchParams.get("engagement");
    const contactId = /^\/contacts\/\w+\/record\/0-1\/(\d+)$/.exec(pathOf(request))?.[1];
    if (contactId !== undefined && request.method === "GET")
      return callId === null ? showContact(contactId) : showCall(callId);
    if (pathOf(request) !== authorisePath) return notFound();
    return request.method === "POST" ? oauth.decide(request) : oauth.authorise(request);
  }

  function answerApi(request: { method: string; url: string; body: string }): SandboxResponse {
    const { method, url, body } = request;
    const { pathname: path, searchParams: query } = new URL(url, "http://sandbox");
    const described = /^\/crm\/v3\/properties\/(contacts|calls)$/.exec(path)?.[1];
    if (method === "GET" && (described === "contacts" || described === "calls"))
      return json(200, { results: propertiesOf[described].map(describeProperty) });
    if (method === "GET" && /^\/crm\/v3\/owners\/?$/.test(path)) return listOwners(query);
    return objects({ method, path, query, body }) ?? associations({ method, path }) ?? notFound();
  }

  function answer(request: SandboxRequest): SandboxResponse {
    const path = pathOf(request);
    if (path === authorisePath) return answerBrowser(request);
    if (request.method === "POST" && path === "/oauth/2026-03/token") return oauth.token(request);
    if (request.method === "POST" && path === "/oauth/2026-03/token/revoke") return oauth.revoke(request);
    // The former paths, supported until February 2027; the official client still uses them.
    if (request.method === "POST" && path === "/oauth/v1/token") return oauth.token(request);
    const token = /^Bearer (\S+)$/.exec(String(request.headers["authorization"] ?? ""))?.[1];
    const refused = oauth.refuseAccess(token ?? "");
    if (refused !== null) return refuseAccess(refused.expiredMs);
    const counted = requests.count({ path });
    if (counted.refused !== null) return counted.refused;
    const answered = answerApi(request);
    return { ...answered, headers: { ...answered.headers, ...counted.headers } };
  }

  const listening = await listenOnLoopback({
    faults,
    answer,
    fail: ({ status, errorCode }) =>
      status === 429
        ? rateLimited(errorCode ?? "TEN_SECONDLY_ROLLING")
        : apiError(status, "The sandbox was told to fail", { category: errorCode ?? "INTERNAL_ERROR" }),
  });
  const act = (method: string, path: string, properties?: object): SandboxResponse =>
    answerApi({ method, url: `/crm/v3/objects/${path}`, body: properties ? JSON.stringify({ properties }) : "" });
  return {
    domain,
    ...app,
    address: listening.address,
    browserPath: "/sandbox-crm/hubspot",
    routes: browserRoutes(answerBrowser, { authorise: authorisePath, records: "/contacts/*" }),
    answerBrowser,
    ask: ({ method, path, body }) => answerApi({ method, url: path, body: JSON.stringify(body ?? null) }),
    leadCount: () => store.state.contacts.filter(({ archivedMs }) => archivedMs === null).length,
    leads: openLeads(store, act),
    leadPath: /\/objects\/contacts/,
    leadsPath: /^\/crm\//,
    limitFaults: [
      ["TEN_SECONDLY_ROLLING", { status: 429, errorCode: "TEN_SECONDLY_ROLLING" }, 10_000],
      ["DAILY", { status: 429, errorCode: "DAILY" }, 3_600_000],
    ],
    callsPath: /\/objects\/calls/,
    writtenCalls: () =>
      store.state.calls
        .filter(({ archivedMs }) => archivedMs === null)
        .map(({ id, properties }) => ({
          id,
          callSid: properties["hs_call_external_id"] ?? "",
          leadExternalId: store.state.associations.find(({ from }) => from === `calls/${id}`)?.to.split("/")[1] ?? "",
          direction: properties["hs_call_direction"] === "INBOUND" ? "inbound" : "outbound",
          seconds: Number(properties["hs_call_duration"] ?? 0) / 1_000,
          note: textOf(properties["hs_call_body"] ?? ""),
        })),
    sendWebhooks: sender.setTarget,
    deleteCall: (id) => void act("DELETE", `calls/${id}`),
    leaveRequests: requests.leave,
    faults,
    expireAccess: oauth.expireAccess,
    endAllGrants: oauth.endAllGrants,
    async close() {
      sender.close();
      await listening.close();
    },
  };
}

/** What the CRM's users see and do. */
const openLeads = (
  { state }: ReturnType<typeof openStore>,
  act: (method: string, path: string, body?: object) => SandboxResponse,
): SandboxCrm["leads"] => ({
  list: () =>
    state.contacts
      .filter(({ archivedMs }) => archivedMs === null)
      .map(({ id, properties }) => ({
        id,
        firstName: properties["firstname"] ?? "",
        lastName: properties["lastname"] ?? "",
        email: properties["email"] ?? "",
        phone: properties["phone"] ?? "",
        company: properties["company"] ?? "",
        jobTitle: properties["jobtitle"] ?? "",
        nextStep: properties["next_step"] ?? "",
        status: properties["hs_lead_status"] ?? "",
        owner: owners.find((one) => one.id === properties["hubspot_owner_id"])?.email ?? "",
      })),
  change(id, { firstName: firstname, lastName: lastname, email, phone, company, jobTitle: jobtitle, ...rest }) {
    const { status: hs_lead_status, nextStep: next_step, owner } = rest;
    const hubspot_owner_id = owner && owners.find((one) => one.email === owner)?.id;
    const given = { firstname, lastname, email, phone, company, jobtitle, hs_lead_status, next_step };
    const properties = { ...given, hubspot_owner_id };
    return void act("PATCH", `contacts/${id}`, properties);
  },
  add: (lastname) => void act("POST", "contacts", { lastname }),
  rename: (id, lastname) => void act("PATCH", `contacts/${id}`, { lastname }),
  remove: (id) => void act("DELETE", `contacts/${id}`),
});

function refuseAccess(expiredMs: number | null): SandboxResponse {
  const missing =
    "Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview";
  if (expiredMs === null) return apiError(401, missing, { category: "INVALID_AUTHENTICATION" });
  return apiError(401, "The OAuth token used to make this call expired.", {
    category: "EXPIRED_AUTHENTICATION",
    context: { "expire time": [new Date(expiredMs).toISOString()] },
  });
}
