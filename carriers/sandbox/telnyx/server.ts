import { randomUUID } from "node:crypto";
import { carrier as callees } from "../server.ts";
import { host } from "../sip/listen.ts";
import { makeOwnCertificate } from "../sip/own-certificate.ts";
import { startSipServer } from "../sip/sip-server.ts";
import { openVendorStore } from "../vendor/open-vendor-store.ts";
import { serveVendor, type VendorResponse, type VendorRequest } from "../vendor/serve-vendor.ts";
import { endedOf, type VendorSandbox, type VendorSandboxOptions } from "../vendor/vendor-sandbox.ts";
import { listPage, notFound, ok, refused } from "./answers.ts";
import { answerConnections } from "./connections.ts";
import { answerNumbers } from "./numbers.ts";
import { apiKey, empty, findTrunk, type State, toCall, whyNotShown } from "./state.ts";

const defaultLimits = { callsPerSecond: 10, channels: 10 };
const dollarsAMinute = 0.005;
const elsewhere = "+13125550177";

/** Telnyx's API, version 2, as far as a trunk needs it, and a SIP registrar with digest over UDP and TLS, on loopback. */
export async function startVendorSandbox({
  file,
  limits = defaultLimits,
}: VendorSandboxOptions): Promise<VendorSandbox> {
  const { state, save } = openVendorStore(file, empty);
  const opened = await callees.open({});
  const certificate = state.certificate ?? (await makeOwnCertificate(host));
  const sip = await startSipServer({
    ports: { udp: state.sipPort, tls: state.sipTlsPort },
    certificate,
    realm: "sip.telnyx.com",
    callees: opened,
    findTrunk: (user) => findTrunk(state, user),
    limits,
    tooFast: { status: 503, reason: "CPS Limit Reached P05" },
    tooMany: { status: 403, reason: "User channel limit exceeded D1" },
    whyNotShown: (number) => whyNotShown(state, number),
    newCallId: randomUUID,
    idHeader: "X-call_leg_id",
    onEnded(call) {
      // All of it is written at each call.
      state.calls = [...state.calls.slice(-999), toCall(state, call)];
      save();
    },
  });
  state.certificate = certificate;
  state.sipPort = sip.ports.udp;
  state.sipTlsPort = sip.ports.tls;
  save();

  function answer(request: VendorRequest): VendorResponse {
    if (request.headers["authorization"] !== `Bearer ${apiKey}`)
      return refused(401, "10009", "Authentication failed", "The API key looks malformed or doesn’t exist.");
    const given = answerRest(state, request);
    // An order settles as it is read.
    if (request.method !== "GET" || request.path.startsWith("/v2/number_orders")) save();
    return given;
  }

  const http = await serveVendor(answer);
  return {
    address: http.address,
    sip: sip.addresses.udp,
    sipOverTls: { address: sip.addresses.tls, authority: certificate.certificate },
    key: { apiKey },
    rejections: sip.rejections,
    async call({ from, to }) {
      const connectionId = state.held.find(({ number }) => number === to)?.connectionId;
      const user = state.connections.find(({ id }) => id === connectionId)?.user_name;
      return user === undefined ? 404 : sip.call({ user, from, to });
    },
    addRecord(record) {
      const trunkId = state.connections.find((each) => each.connection_name === record.trunk)?.id ?? "";
      const id = record.id ?? randomUUID();
      state.calls.push(toCall(state, endedOf(record, { id, trunkId })));
      return id;
    },
    meetRequirements(countryCode) {
      state.requirementGroups.push({ id: randomUUID(), countryCode, numberType: "local" });
    },
    verifyCallerId: (number) => void state.verifiedNumbers.push(number),
    async useElsewhere(number) {
      const found = state.held.find((each) => each.number === number);
      if (found)
        found.forwarding = { call_forwarding_enabled: true, forwarding_type: "always", forwards_to: elsewhere };
    },
    counts: () => ({
      trunks: state.profiles.length,
      credentialLists: state.connections.length,
      originationUrls: 0,
      numbers: state.held.length,
      charges: state.charges,
    }),
    async close() {
      await http.close();
      await sip.close();
      await opened.close();
    },
  };
}

function answerRest(state: State, request: VendorRequest): VendorResponse {
  if (request.path === "/v2/balance")
    return ok({
      record_type: "balance",
      balance: "20.00",
      available_credit: "20.00",
      credit_limit: "0.00",
      currency: "USD",
    });
  if (request.path === "/v2/detail_records") {
    const since = request.query.get("filter[started_at][gte]");
    const calls = state.calls.filter(({ startedAt }) => since === null || Date.parse(startedAt) >= Date.parse(since));
    return listPage(calls.map(presentRecord), request.query);
  }
  return answerConnections(state, request) ?? answerNumbers(state, request) ?? notFound;
}

const presentRecord = (call: State["calls"][number]) => ({
  record_type: "sip-trunking",
  id: call.id,
  call_leg_id: call.id,
  connection_name: call.connectionName,
  cli: call.from,
  cld: call.to,
  started_at: call.startedAt,
  finished_at: call.endedAt,
  call_sec: call.seconds,
  cost: (Math.ceil(call.seconds / 60) * dollarsAMinute).toFixed(4),
  currency: "USD",
});
