import { browserRoutes } from "../browser-routes.ts";
import { json, page, pathOf, type SandboxResponse, type SandboxRequest } from "../exchange.ts";
import { createFaults } from "../faults.ts";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import { missingPage, recordPage } from "../record-page.ts";
import type { SandboxCrm, SandboxCrmOptions, SandboxSize } from "../sandbox-crm.ts";
import { apiError } from "./errors.ts";
import { createLimits, type Limits, noLimits, vendorLimits } from "./limits.ts";
import { createOAuth } from "./oauth.ts";
import { statuses, users } from "./make-leads.ts";
import { contactOfLead } from "./record-id.ts";
import { createRest } from "./rest.ts";
import { openStore, type SandboxTask } from "./store.ts";

const authorisePath = "/services/oauth2/authorize";

/** Small pages, so that the leads are several of them. */
const defaultSize: SandboxSize = { leads: 250, largestPage: 100 };

/** A small whole CRM on loopback, on a port of its own. What it speaks, and how faithfully: ../README.md. */
export async function startSandboxCrm(
  { file, publicUrl, isUnlimited = false, size = defaultSize }: SandboxCrmOptions,
  options: { limits?: Limits } = {},
): Promise<SandboxCrm> {
  const store = openStore(file, size.leads);
  const domain = "sandbox.leadline.test";
  const clientId = "leadline-on-this-machine";
  const faults = createFaults();
  const oauth = createOAuth({
    store,
    clientId,
    domain,
    allowsCallback: (callback, { headers }) => callback.host === headers["host"] || callback.host === publicUrl?.host,
  });
  const requests = createLimits(options.limits ?? (isUnlimited ? noLimits : vendorLimits));
  const rest = createRest(store, size);

  /** A task's person: a lead, or the contact that it was converted to. */
  const leadOf = ({ WhoId }: SandboxTask) =>
    store.state.leads.find((lead) => WhoId !== null && [lead.Id, lead.ConvertedContactId].includes(WhoId));

  function showTask(id: string): SandboxResponse {
    const task = store.state.tasks.find((one) => one.Id === id);
    if (task === undefined) return page(404, missingPage());
    const lead = leadOf(task);
    const fields = [
      ["Date", task.ActivityDate ?? ""],
      ["Call type", task.CallType ?? ""],
      ["Call duration", task.CallDurationInSeconds === null ? "" : `${task.CallDurationInSeconds} s`],
      ["Call result", task.CallDisposition ?? ""],
      ["Comments", task.Description ?? ""],
      ["Status", task.Status],
    ] as const;
    const of = lead === undefined ? "Nobody’s" : `${lead.FirstName ?? ""} ${lead.LastName}, ${lead.Company}`.trim();
    return page(200, recordPage({ title: task.Subject ?? "Task", of, fields }));
  }

  function showLead(id: string): SandboxResponse {
    const lead = store.state.leads.find((one) => one.Id === id);
    if (lead === undefined) return page(404, missingPage());
    const fields = [
      ["Title", lead.Title],
      ["Company", lead.Company],
      ["Email", lead.Email ?? ""],
      ["Phone", lead.Phone ?? ""],
      ["Mobile", lead.MobilePhone ?? ""],
      ["Lead status", lead.Status],
    ] as const;
    return page(200, recordPage({ title: `${lead.FirstName ?? ""} ${lead.LastName}`.trim(), of: "Lead", fields }));
  }

  function answerBrowser(request: SandboxRequest): SandboxResponse {
    const [, object, id = ""] = /^\/lightning\/r\/(Task|Lead)\/(\w{18})\/view$/.exec(pathOf(request)) ?? [];
    if (object !== undefined && request.method === "GET") return object === "Task" ? showTask(id) : showLead(id);
    if (pathOf(request) !== authorisePath) return apiError(404, "NOT_FOUND", "The requested resource does not exist");
    return request.method === "POST" ? oauth.decide(request) : oauth.authorise(request);
  }

  function answerServer(request: SandboxRequest): SandboxResponse {
    const path = pathOf(request);
    if (path === authorisePath) return answerBrowser(request);
    if (path === "/services/oauth2/token" && request.method === "POST") return oauth.token(request);
    if (path === "/services/oauth2/revoke") return oauth.revoke(request);
    if (/^\/services\/data\/?$/.test(path))
      return json(200, [{ label: "Sandbox", url: "/services/data/v62.0", version: "62.0" }]);
    const token = /^Bearer (\S+)$/.exec(String(request.headers["authorization"] ?? ""))?.[1];
    if (token === undefined || !oauth.accepts(token))
      return apiError(401, "INVALID_SESSION_ID", "Session expired or invalid");
    const counted = requests.count();
    const answered =
      counted.refused ?? (/^\/services\/data\/v\d+\.\d\/limits\/?$/.test(path) ? requests.show() : rest(request));
    return { ...answered, headers: { ...answered.headers, ...counted.headers } };
  }

  const listening = await listenOnLoopback({
    faults,
    answer: answerServer,
    fail: ({ status, errorCode = "SERVER_UNAVAILABLE" }) => apiError(status, errorCode, "The sandbox was told to fail"),
  });
  const act = (method: string, path: string, body?: object): SandboxResponse =>
    rest({ method, url: `/services/data/v62.0/sobjects/${path}`, headers: {}, body: JSON.stringify(body ?? null) });
  return {
    domain,
    clientId,
    clientSecret: null,
    address: listening.address,
    browserPath: "/sandbox-crm",
    routes: browserRoutes(answerBrowser, { authorise: authorisePath, records: "/lightning/r/*" }),
    answerBrowser,
    ask: ({ method, path, body }) => rest({ method, url: path, headers: {}, body: JSON.stringify(body ?? null) }),
    leadCount: () => store.state.leads.length,
    leads: openLeads(store, act),
    leadPath: /\/(composite|query|sobjects\/Lead\/00Q\w+)$/,
    leadsPath: /^\/services\/data/,
    limitFaults: [["the daily limit", { status: 403, errorCode: "REQUEST_LIMIT_EXCEEDED" }, null]],
    callsPath: /\/sobjects\/Task/,
    writtenCalls: () =>
      store.state.tasks
        .filter(({ TaskSubtype }) => TaskSubtype === "Call")
        .map((task) => ({
          id: task.Id,
          callSid: task.CallObject ?? "",
          leadExternalId: leadOf(task)?.Id ?? "",
          direction: task.CallType === "Inbound" ? "inbound" : "outbound",
          seconds: task.CallDurationInSeconds ?? 0,
          note: task.Description ?? "",
        })),
    sendWebhooks: () => {},
    deleteCall: (id) => void act("DELETE", `Task/${id}`),
    leaveRequests: requests.leave,
    faults,
    expireAccess: oauth.expireAccess,
    endAllGrants: oauth.endAllGrants,
    close: listening.close,
  };
}

/** What the CRM's users see and do. */
const openLeads = (
  { state }: ReturnType<typeof openStore>,
  act: (method: string, path: string, body?: object) => SandboxResponse,
): SandboxCrm["leads"] => ({
  list: () =>
    state.leads.map((lead) => ({
      id: lead.Id,
      firstName: lead.FirstName ?? "",
      lastName: lead.LastName,
      email: lead.Email ?? "",
      phone: lead.Phone ?? "",
      company: lead.Company,
      jobTitle: lead.Title,
      nextStep: lead.Next_Step__c ?? "",
      status: lead.Status,
      owner: users.find(({ Id }) => Id === lead.OwnerId)?.Email ?? "",
    })),
  change(id, { firstName, lastName, email, phone, company, jobTitle, nextStep, status, owner }) {
    const names = { FirstName: firstName, LastName: lastName, Company: company, Title: jobTitle };
    const OwnerId = owner && users.find(({ Email }) => Email === owner)?.Id;
    const others = { Email: email, Phone: phone, Status: status, Next_Step__c: nextStep, OwnerId };
    return void act("PATCH", `Lead/${id}`, { ...names, ...others });
  },
  add: (LastName) => void act("POST", "Lead", { LastName, Company: "Newco" }),
  rename: (id, LastName) => void act("PATCH", `Lead/${id}`, { LastName }),
  remove: (id) => void act("DELETE", `Lead/${id}`),
  convert(id) {
    const lead = state.leads.find(({ Id }) => Id === id);
    if (lead === undefined) return;
    const [nowMs, ConvertedContactId] = [Date.now(), contactOfLead(id)];
    const stamps = { LastModifiedDate: nowMs, SystemModstamp: nowMs };
    Object.assign(lead, { IsConverted: true, Status: statuses.won, ConvertedContactId, ...stamps });
    for (const task of state.tasks) if (task.WhoId === id) task.WhoId = ConvertedContactId;
  },
});
