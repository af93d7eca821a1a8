import { carrier as callees } from "../server.ts";
import { host } from "../sip/listen.ts";
import { makeOwnCertificate } from "../sip/own-certificate.ts";
import { startSipServer } from "../sip/sip-server.ts";
import { openVendorStore } from "../vendor/open-vendor-store.ts";
import { serveVendor, type VendorResponse, type VendorRequest } from "../vendor/serve-vendor.ts";
import { endedOf, type VendorSandbox, type VendorSandboxOptions } from "../vendor/vendor-sandbox.ts";
import { answerAccount } from "./account.ts";
import { notFound, refused } from "./answers.ts";
import { answerPrices } from "./numbers.ts";
import { answerPermissions } from "./permissions.ts";
import { accountSid, authToken, empty, findTrunk, mayShow, newSid, toCall } from "./state.ts";
import { answerTrunking } from "./trunking.ts";

const defaultLimits = { callsPerSecond: 5, channels: null };
const notShown = {
  status: 403,
  reason:
    "Caller ID is unauthorized. A Valid Caller ID is either a DID you have purchased from Twilio or a verified Caller ID",
};

/** Twilio's REST API as far as a trunk needs it, and a SIP server with digest over UDP and TLS, on loopback. */
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
    realm: "sip.twilio.com",
    callees: opened,
    findTrunk: (user) => findTrunk(state, user),
    limits,
    tooFast: { status: 503, reason: "Trunk CPS limit exceeded" },
    tooMany: { status: 503, reason: "Account concurrency limit exceeded" },
    whyNotShown: (number) => (mayShow(state, number) ? null : notShown),
    newCallId: () => newSid("CA"),
    idHeader: "X-Twilio-CallSid",
    onEnded(call) {
      // All of it is written at each call.
      state.calls = [...state.calls.slice(-999), toCall(call)];
      save();
    },
  });
  state.certificate = certificate;
  state.sipPort = sip.ports.udp;
  state.sipTlsPort = sip.ports.tls;
  save();

  function answer(request: VendorRequest): VendorResponse {
    const key = Buffer.from(`${accountSid}:${authToken}`).toString("base64");
    if (request.headers["authorization"] !== `Basic ${key}`) return refused(401, 20003, "Authenticate");
    const given =
      answerAccount(state, request) ??
      answerTrunking(state, request) ??
      answerPrices(state, request) ??
      answerPermissions(request) ??
      notFound(request.path);
    if (request.method !== "GET") save();
    return given;
  }

  const http = await serveVendor(answer);
  return {
    address: http.address,
    sip: sip.addresses.udp,
    sipOverTls: { address: sip.addresses.tls, authority: certificate.certificate },
    key: { accountSid, authToken },
    rejections: sip.rejections,
    async call({ from, to, isVerified = true }) {
      const trunkSid = state.incoming.find(({ phoneNumber }) => phoneNumber === to)?.trunkSid;
      const trunk = state.trunks.find(({ sid }) => sid === trunkSid);
      const list = state.credentialLists.find(({ sid }) => trunk?.credentialLists.includes(sid));
      const user = list?.credentials[0]?.username;
      const verstat = isVerified ? "TN-Validation-Passed-A" : "TN-Validation-Failed";
      const headers = [["X-Twilio-VerStat", verstat]] as const;
      return user === undefined ? 404 : sip.call({ user, from, to, headers });
    },
    addRecord(record) {
      const { sid: trunkId } = state.trunks.find(({ friendlyName }) => friendlyName === record.trunk) ?? { sid: "TK" };
      const id = record.id ?? newSid("CA");
      state.calls.push(toCall(endedOf(record, { id, trunkId })));
      return id;
    },
    meetRequirements(countryCode) {
      // A number with a bundle takes the bundle's address only, not the account's first one.
      const [first, addressSid] = [newSid("AD"), newSid("AD")];
      state.addresses.push({ sid: first, countryCode }, { sid: addressSid, countryCode });
      const bundle = { sid: newSid("BU"), documentSid: newSid("RD"), addressSid };
      state.bundles.push({ ...bundle, countryCode, numberType: "local" });
    },
    verifyCallerId: (number) => void state.verifiedCallerIds.push(number),
    async useElsewhere(number) {
      const found = state.incoming.find(({ phoneNumber }) => phoneNumber === number);
      if (found) Object.assign(found, { trunkSid: null, voiceUrl: "https://ivr.example.com/answer?token=secret" });
    },
    counts: () => ({
      trunks: state.trunks.length,
      credentialLists: state.credentialLists.length,
      originationUrls: state.trunks.flatMap(({ originationUrls }) => originationUrls).length,
      numbers: state.incoming.length,
      charges: state.charges,
    }),
    async close() {
      await http.close();
      await sip.close();
      await opened.close();
    },
  };
}
