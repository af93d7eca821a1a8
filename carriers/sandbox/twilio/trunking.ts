import type { VendorResponse, VendorRequest } from "../vendor/serve-vendor.ts";
import { created, gone, notFound, ok, page, refused } from "./answers.ts";
import { accountSid, newSid, type OriginationUrl, type State, type Trunk } from "./state.ts";

const api = "https://trunking.twilio.com";

/** trunking.twilio.com/v1; null for a path that isn't its. */
export function answerTrunking(state: State, request: VendorRequest): VendorResponse | null {
  const [, sid, sub, subSid] = /^\/v1\/Trunks(?:\/(\w+)(?:\/(\w+)(?:\/(\w+))?)?)?$/.exec(request.path) ?? [];
  if (!request.path.startsWith("/v1/Trunks")) return null;
  const form = new URLSearchParams(request.body);
  if (sid === undefined) {
    if (request.method === "GET") return page(`${api}/v1/Trunks`, "trunks", state.trunks.map(present));
    const domainName = form.get("DomainName") ?? "";
    if (state.trunks.some((each) => each.domainName === domainName))
      return refused(400, 21248, "Domain name already taken");
    const trunk: Trunk = {
      sid: newSid("TK"),
      friendlyName: form.get("FriendlyName") ?? "",
      domainName,
      secure: form.get("Secure") === "true",
      transferMode: form.get("TransferMode") ?? "disable-all",
      credentialLists: [],
      originationUrls: [],
      createdAt: new Date().toISOString(),
    };
    state.trunks.push(trunk);
    return created(present(trunk));
  }
  const trunk = state.trunks.find((each) => each.sid === sid);
  if (!trunk) return notFound(request.path);
  if (sub === undefined) {
    if (request.method === "GET") return ok(present(trunk));
    if (request.method === "POST") {
      if (form.has("Secure")) trunk.secure = form.get("Secure") === "true";
      trunk.transferMode = form.get("TransferMode") ?? trunk.transferMode;
      return ok(present(trunk));
    }
    if (request.method !== "DELETE") return null;
    state.trunks.splice(state.trunks.indexOf(trunk), 1);
    for (const each of state.incoming) if (each.trunkSid === sid) each.trunkSid = null;
    return gone;
  }
  if (sub === "CredentialLists") return answerCredentialLists(state, trunk, request, form);
  if (sub === "OriginationUrls") return answerOriginationUrls(trunk, request, { form, sid: subSid });
  return null;
}

function answerCredentialLists(
  state: State,
  trunk: Trunk,
  request: VendorRequest,
  form: URLSearchParams,
): VendorResponse | null {
  const show = (sid: string) => {
    const list = state.credentialLists.find((each) => each.sid === sid);
    const at = list?.createdAt ?? trunk.createdAt;
    return {
      account_sid: accountSid,
      sid,
      trunk_sid: trunk.sid,
      friendly_name: list?.friendlyName ?? null,
      date_created: at,
      date_updated: at,
      url: `${api}/v1/Trunks/${trunk.sid}/CredentialLists/${sid}`,
    };
  };
  const url = `${api}${request.path}`;
  if (request.method === "GET") return page(url, "credential_lists", trunk.credentialLists.map(show));
  const wanted = form.get("CredentialListSid") ?? "";
  if (state.credentialLists.every(({ sid }) => sid !== wanted)) return notFound(request.path);
  if (trunk.credentialLists.includes(wanted)) return refused(400, 21235, "CredentialList is already associated");
  trunk.credentialLists.push(wanted);
  return created(show(wanted));
}

function answerOriginationUrls(
  trunk: Trunk,
  request: VendorRequest,
  { form, sid }: { form: URLSearchParams; sid: string | undefined },
): VendorResponse | null {
  const show = (each: OriginationUrl) => ({
    account_sid: accountSid,
    sid: each.sid,
    trunk_sid: trunk.sid,
    weight: each.weight,
    enabled: each.enabled,
    sip_url: each.sipUrl,
    friendly_name: each.friendlyName,
    priority: each.priority,
    date_created: each.createdAt,
    date_updated: each.createdAt,
    url: `${api}/v1/Trunks/${trunk.sid}/OriginationUrls/${each.sid}`,
  });
  if (request.method === "GET")
    return page(`${api}${request.path}`, "origination_urls", trunk.originationUrls.map(show));
  const given = {
    friendlyName: form.get("FriendlyName") ?? "",
    sipUrl: form.get("SipUrl") ?? "",
    weight: Number(form.get("Weight")),
    priority: Number(form.get("Priority")),
    enabled: form.get("Enabled") === "true",
  };
  if (sid === undefined) {
    if (!given.sipUrl.startsWith("sip:")) return refused(400, 21609, "Invalid SipUrl");
    const made = { sid: newSid("OU"), createdAt: new Date().toISOString(), ...given };
    trunk.originationUrls.push(made);
    return created(show(made));
  }
  const found = trunk.originationUrls.find((each) => each.sid === sid);
  if (!found) return notFound(request.path);
  if (request.method === "DELETE") {
    trunk.originationUrls = trunk.originationUrls.filter((each) => each !== found);
    return gone;
  }
  return ok(show(Object.assign(found, given)));
}

const present = (trunk: Trunk) => {
  const url = `${api}/v1/Trunks/${trunk.sid}`;
  return {
    account_sid: accountSid,
    sid: trunk.sid,
    friendly_name: trunk.friendlyName,
    domain_name: trunk.domainName,
    disaster_recovery_method: "POST",
    disaster_recovery_url: null,
    secure: trunk.secure,
    recording: { mode: "do-not-record", trim: "do-not-trim" },
    transfer_mode: trunk.transferMode,
    transfer_caller_id: "from-transferee",
    cnam_lookup_enabled: false,
    auth_type: trunk.credentialLists.length > 0 ? "CREDENTIAL_LIST" : "",
    symmetric_rtp_enabled: false,
    auth_type_set: trunk.credentialLists.length > 0 ? ["CREDENTIAL_LIST"] : [],
    date_created: trunk.createdAt,
    date_updated: trunk.createdAt,
    url,
    links: {
      origination_urls: `${url}/OriginationUrls`,
      credential_lists: `${url}/CredentialLists`,
      ip_access_control_lists: `${url}/IpAccessControlLists`,
      phone_numbers: `${url}/PhoneNumbers`,
    },
  };
};
