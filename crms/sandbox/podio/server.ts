import { randomBytes } from "node:crypto";
import { browserRoutes } from "../browser-routes.ts";
import { json, pathOf, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import type { SandboxCrm, SandboxCrmOptions } from "../sandbox-crm.ts";
import { apps, describeApp, describeWholeApp, hasSpace, leadsAppId, listOrgs } from "./apps.ts";
import { createComments } from "./comments.ts";
import { listContacts } from "./contacts.ts";
import { apiError, invalid, notFound, rateLimited } from "./errors.ts";
import { createHooks } from "./hooks.ts";
import { createItems, itemsPath } from "./items.ts";
import { createWebhookSender } from "../send-webhooks.ts";
import { createLimits, type Limits, noLimits, vendorLimits } from "./limits.ts";
import { toItemFields, toSandboxLead } from "./lead-of-item.ts";
import { createOAuth } from "./oauth.ts";
import { createRecordPages } from "./record-pages.ts";
import { openStore } from "./store.ts";

const authorisePath = "/oauth/authorize";
const accessMs = 8 * 3_600_000;
const refreshMs = 28 * 86_400_000;

/** Organisations, workspaces, apps and items on loopback, like Podio's API. See ../README.md for the differences. */
export async function startSandboxCrm(
  { file, publicUrl, isUnlimited = false }: SandboxCrmOptions,
  options: { limits?: Limits; maxItems?: number } = {},
): Promise<SandboxCrm> {
  const store = openStore(file);
  const domain = "podio.sandbox.leadline.test";
  const app = { clientId: "leadline-on-this-machine", clientSecret: randomBytes(32).toString("base64url") };
  const faults = createFaults();
  const requests = createLimits(options.limits ?? (isUnlimited ? noLimits : vendorLimits));
  const sender = createWebhookSender();
  const hooks = createHooks(store, sender);
  const items = createItems(store, { maxItems: options.maxItems ?? 500, report: hooks.report });
  const comments = createComments(store);
  const { showComment, showItem } = createRecordPages(store.state);
  const oauth = createOAuth({
    store,
    app,
    domain,
    accessMs,
    refreshMs,
    // The domain that the API key was registered with.
    allowsCallback: (callback, { headers }) => callback.host === headers["host"] || callback.host === publicUrl?.host,
  });

  function answerBrowser(request: SandboxRequest): SandboxResponse {
    const path = pathOf(request);
    const commentId = new URL(request.url, "http://sandbox").searchParams.get("comment");
    if (path.startsWith(itemsPath) && request.method === "GET")
      return commentId === null ? showItem(path) : showComment(Number(commentId));
    if (path !== authorisePath) return notFound();
    return request.method === "POST" ? oauth.decide(request) : oauth.authorise(request);
  }

  function answerApi({ method, url, body }: { method: string; url: string; body: string }): SandboxResponse {
    const { pathname: path, searchParams: query } = new URL(url, "http://sandbox");
    const read = readJson(body);
    if (read === undefined) return invalid("The body is not JSON");
    if (method === "GET" && path === "/org/") return json(200, listOrgs());
    const spaceId = /^\/app\/space\/(\d+)\/$/.exec(path)?.[1];
    if (method === "GET" && spaceId !== undefined) {
      if (!hasSpace(Number(spaceId))) return notFound();
      const active = apps.filter((one) => one.spaceId === Number(spaceId) && one.status === "active");
      return json(200, active.map(describeApp));
    }
    const appId = /^\/app\/(\d+)$/.exec(path)?.[1];
    if (method === "GET" && appId !== undefined) {
      const found = apps.find((one) => one.appId === Number(appId));
      return found === undefined ? notFound() : json(200, describeWholeApp(found));
    }
    return (
      listContacts({ method, path }) ??
      items({ method, path, body: read }) ??
      comments({ method, path, query, body: read }) ??
      hooks.answer({ method, path, body: read }) ??
      notFound()
    );
  }

  function answer(request: SandboxRequest): SandboxResponse {
    const path = pathOf(request);
    if (path === authorisePath) return answerBrowser(request);
    if (request.method === "POST" && path === "/oauth/token/v2") return oauth.token(request);
    const token = /^OAuth2 (\S+)$/.exec(String(request.headers["authorization"] ?? ""))?.[1];
    const refused = oauth.refuseAccess(token ?? "", permissionFor(request.method, path));
    if (refused !== null) return refused;
    const counted = requests.count({ isHeavy: path.endsWith("/filter/") });
    if (counted.refused !== null) return counted.refused;
    const answered = answerApi(request);
    return { ...answered, headers: { ...answered.headers, ...counted.headers } };
  }

  const listening = await listenOnLoopback({
    faults,
    answer,
    fail: ({ status, errorCode }) =>
      status === 420
        ? rateLimited(Number(errorCode ?? 300))
        : apiError(status, errorCode ?? "unexpected", "The sandbox was told to fail"),
  });
  const act = (method: string, url: string, body?: object): SandboxResponse =>
    answerApi({ method, url, body: body ? JSON.stringify(body) : "" });
  return {
    domain,
    ...app,
    address: listening.address,
    browserPath: "/sandbox-crm/podio",
    routes: browserRoutes(answerBrowser, { authorise: authorisePath, records: `${itemsPath}*` }),
    leads: openLeads(store, act),
    leadPath: /^\/item\//,
    leadsPath: /^\/item\/app\//,
    limitFaults: [["420", { status: 420 }, 300_000]],
    callsPath: /^\/comment\//,
    writtenCalls: () =>
      store.state.comments.map(({ commentId, itemId, externalId, value }) => ({
        id: String(commentId),
        callSid: externalId ?? "",
        leadExternalId: String(itemId),
        direction: null,
        seconds: null,
        note: value,
      })),
    sendWebhooks: sender.setTarget,
    deleteCall: (id) => void act("DELETE", `/comment/${id}`),
    answerBrowser,
    ask: ({ method, path, body }) => answerApi({ method, url: path, body: JSON.stringify(body ?? null) }),
    leadCount: () => store.state.items.filter(({ appId }) => appId === leadsAppId).length,
    leaveRequests: requests.leave,
    faults,
    signInColleague: oauth.signInColleague,
    expireAccess: oauth.expireAccess,
    endAllGrants: oauth.endAllGrants,
    async close() {
      sender.close();
      await listening.close();
    },
  };
}

/** A filter is a POST that only reads. */
function permissionFor(method: string, path: string): "read" | "write" | "delete" {
  if (method === "GET" || path.endsWith("/filter/")) return "read";
  return method === "DELETE" ? "delete" : "write";
}

/** What the CRM's users see and do. */
const openLeads = (
  { state }: ReturnType<typeof openStore>,
  act: (method: string, path: string, body?: object) => SandboxResponse,
): SandboxCrm["leads"] => ({
  list: () => state.items.filter(({ appId }) => appId === leadsAppId).map(toSandboxLead),
  change(id, change) {
    return void act("PUT", `/item/${id}`, { fields: toItemFields(change) });
  },
  add: (name) => void act("POST", `/item/app/${leadsAppId}/`, { fields: { "last-name": name } }),
  rename: (id, name) => void act("PUT", `/item/${id}`, { fields: { "last-name": name } }),
  remove: (id) => void act("DELETE", `/item/${id}`),
});

/** Undefined if it isn't JSON. */
function readJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
