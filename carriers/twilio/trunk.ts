import {
  ProvisionerError,
  type ConnectStep,
  type ProvisionedTrunk,
  type WantedTrunk,
} from "@leadline/adapter-kit/provisioner";
import type { Api } from "./client.ts";
import { describeClosedCountries } from "./closed-countries.ts";
import { answered, removed } from "./refusals.ts";
import { signallingNetworks } from "./signalling-networks.ts";

/** Every list is read whole: a second run must find what the first one made. */
const pageSize = 1_000;

export async function findTrunk({ client }: Api, name: string) {
  const trunks = await answered(client.trunking.v1.trunks.list({ pageSize }));
  // The name can be changed in the Console; the domain is one account's only.
  return trunks.find(({ friendlyName, domainName }) => friendlyName === name || domainName === domainOf(name)) ?? null;
}

const domainOf = (name: string): string => `${name}.pstn.twilio.com`;

async function requireTrunk(api: Api, name: string) {
  const trunk = await findTrunk(api, name);
  if (trunk) return trunk;
  throw new ProvisionerError("refused", "The trunk isn’t in the Twilio account any more. Connect again.");
}

export const trunkSidOf = async (api: Api, name: string): Promise<string> => (await requireTrunk(api, name)).sid;

/** Several, if a request to create it was carried out although its response was lost. */
const findCredentialLists = async ({ client }: Api, name: string) => {
  const lists = await answered(client.api.v2010.accounts(client.accountSid).sip.credentialLists.list({ pageSize }));
  return lists.filter(({ friendlyName }) => friendlyName === name);
};

/** By default, Twilio refuses to transfer a trunk's calls (REFER). */
const trunkSettings = { secure: false, transferMode: "enable-all" } as const;

async function ensureTrunkItself(api: Api, name: string) {
  const { trunks } = api.client.trunking.v1;
  const found = await findTrunk(api, name);
  const created = { friendlyName: name, domainName: domainOf(name), ...trunkSettings };
  if (!found) return answered(trunks.create(created));
  const { secure, transferMode } = trunkSettings;
  if (found.secure === secure && found.transferMode === transferMode) return found;
  return answered(trunks(found.sid).update(trunkSettings));
}

/** Elastic SIP Trunking: a trunk, a credential list attached to it, and an origination URL, each looked up by its name first. */
export async function ensureTrunk(
  api: Api,
  wanted: WantedTrunk,
  { sip, onStep }: { sip: string | null; onStep: (step: ConnectStep, sentence: string) => Promise<void> },
): Promise<ProvisionedTrunk> {
  const trunk = await ensureTrunkItself(api, wanted.name);
  const closed = await describeClosedCountries(api, wanted.callLimits.countries);
  await onStep("trunk", `The trunk ${wanted.name} is ready.${closed === null ? "" : ` ${closed}`}`);
  await ensureCredentials(api, wanted, trunk.sid);
  await onStep("credentials", "User and password are set.");
  const inbound = await ensureOrigination(api, wanted, trunk.sid);
  return {
    settings: {
      host: sip ?? trunk.domainName,
      transport: "udp",
      authentication: "digest",
      user: wanted.user,
      password: wanted.password,
      codecs: ["PCMU", "PCMA"],
      mediaEncryption: "off",
      // Twilio rings whatever number is attached; Leadline's own list of numbers says whose it is.
      numbers: [],
      localPort: wanted.calledAt?.port ?? 0,
      publicAddress: wanted.calledAt?.address ?? null,
      allowedPeers: sip === null ? signallingNetworks : [],
    },
    inbound,
  };
}

async function ensureCredentials(api: Api, { name, user, password }: WantedTrunk, trunkSid: string): Promise<void> {
  const { sip } = api.client.api.v2010.accounts(api.accountSid);
  const found = await findCredentialLists(api, name);
  const attached = await answered(api.client.trunking.v1.trunks(trunkSid).credentialsLists.list({ pageSize }));
  const list =
    found.find(({ sid }) => attached.some((each) => each.sid === sid)) ??
    found[0] ??
    (await answered(sip.credentialLists.create({ friendlyName: name })));
  const credentials = await answered(sip.credentialLists(list.sid).credentials.list({ pageSize }));
  const ours = credentials.find(({ username }) => username === user);
  if (ours) await answered(sip.credentialLists(list.sid).credentials(ours.sid).update({ password }));
  else await answered(sip.credentialLists(list.sid).credentials.create({ username: user, password }));
  if (attached.every(({ sid }) => sid !== list.sid))
    await answered(api.client.trunking.v1.trunks(trunkSid).credentialsLists.create({ credentialListSid: list.sid }));
  for (const { sid } of found) if (sid !== list.sid) await removed(sip.credentialLists(sid).remove());
}

async function ensureOrigination(
  api: Api,
  { name, calledAt }: WantedTrunk,
  trunkSid: string,
): Promise<ProvisionedTrunk["inbound"]> {
  const urls = api.client.trunking.v1.trunks(trunkSid).originationUrls;
  const remove = (sid: string) => removed(api.client.trunking.v1.trunks(trunkSid).originationUrls(sid).remove());
  const found = (await answered(urls.list({ pageSize }))).filter(({ friendlyName }) => friendlyName === name);
  if (calledAt === null) {
    // Calls would go to an address that isn't this server's any more.
    for (const { sid } of found) await remove(sid);
    return {
      by: null,
      sentence:
        "Calls out only: Twilio takes no registrations and calls a public address, and this server has none. Set PUBLIC_URL to one, then connect again.",
    };
  }
  const { address, port } = calledAt;
  const host = address.includes(":") ? `[${address}]` : address;
  const sipUrl = `sip:${host}:${port};transport=udp`;
  const [ours, ...others] = found;
  const wanted = { weight: 10, priority: 10, enabled: true, friendlyName: name, sipUrl };
  if (!ours) await answered(urls.create(wanted));
  else if (ours.sipUrl !== sipUrl || !ours.enabled)
    await answered(api.client.trunking.v1.trunks(trunkSid).originationUrls(ours.sid).update(wanted));
  for (const { sid } of others) await remove(sid);
  return {
    by: "address",
    sentence: `Inbound calls arrive at ${host}:${port} over UDP. Open that port, and the UDP ports for audio, to Twilio.`,
  };
}

/** Only what has this name: the trunk with its origination URL, and each credential list. */
export async function removeTrunk(api: Api, name: string): Promise<void> {
  const trunk = await findTrunk(api, name);
  if (trunk) await removed(api.client.trunking.v1.trunks(trunk.sid).remove());
  for (const { sid } of await findCredentialLists(api, name))
    await removed(api.client.api.v2010.accounts(api.accountSid).sip.credentialLists(sid).remove());
}
