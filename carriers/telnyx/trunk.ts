import {
  type ConnectStep,
  type ProvisionedTrunk,
  ProvisionerError,
  type ProvisionerSandbox,
  type WantedTrunk,
} from "@leadline/adapter-kit/provisioner";
import type Telnyx from "telnyx";
import { z } from "zod";
import { type Api, Done } from "./api.ts";

const server = "sip.telnyx.com";

const Connection = z.object({
  id: z.string(),
  connection_name: z.string(),
  user_name: z.string().nullish(),
});
const Profile = z.object({ id: z.string(), name: z.string() });
const one = <Shape extends z.ZodType>(shape: Shape) => z.object({ data: shape });

export async function findConnection(api: Api, name: string) {
  const found = await api.list("credential_connections", Connection, {
    filter: { connection_name: { contains: name } } satisfies Telnyx.CredentialConnectionListParams["filter"],
  });
  return found.find((each) => each.connection_name === name) ?? null;
}

export async function connectionIdOf(api: Api, name: string): Promise<string> {
  const connection = await findConnection(api, name);
  if (connection) return connection.id;
  throw new ProvisionerError("refused", "The connection isn’t in the Telnyx account any more. Connect again.");
}

export async function connectionNames(api: Api): Promise<Map<string, string>> {
  const all = await api.list("credential_connections", Connection);
  return new Map(all.map((each) => [each.id, each.connection_name]));
}

/** Several, if a request to create it was carried out although its response was lost. */
async function findProfiles(api: Api, name: string) {
  const found = await api.list("outbound_voice_profiles", Profile, {
    filter: { name: { contains: name } } satisfies Telnyx.OutboundVoiceProfileListParams["filter"],
  });
  return found.filter((each) => each.name === name);
}

/** An outbound voice profile with our limits, and a credential connection with that profile; both looked up by name first. */
export async function ensureTrunk(
  api: Api,
  wanted: WantedTrunk,
  given: {
    sandbox: ProvisionerSandbox | null;
    onStep: (step: ConnectStep, sentence: string) => Promise<void>;
  },
): Promise<ProvisionedTrunk> {
  const { sandbox, onStep } = given;
  const [profileId, others] = await ensureProfile(api, wanted);
  await onStep("trunk", `The outbound voice profile ${wanted.name} is ready, with your limits.`);
  await ensureConnection(api, wanted, profileId);
  // Now the connection uses none of them.
  for (const id of others) await api.write("DELETE", `outbound_voice_profiles/${id}`, Done);
  await onStep("credentials", "User and password are set.");
  return {
    settings: {
      host: sandbox?.sipOverTls.address ?? server,
      transport: "tls",
      certificateAuthority: sandbox?.sipOverTls.authority ?? null,
      authentication: "register",
      user: wanted.user,
      password: wanted.password,
      codecs: ["PCMU", "PCMA", "G722"],
      // Telnyx has no SRTP on a connection that uses TLS ("Create a credential connection", encrypted_media).
      mediaEncryption: "off",
      numbers: [],
    },
    inbound: {
      by: "registration",
      sentence: "Inbound calls arrive over the registration, even behind a NAT. No port needs to be open.",
    },
  };
}

/** Its id, and those of others with the same name. */
async function ensureProfile(api: Api, { name, callLimits }: WantedTrunk): Promise<[string, string[]]> {
  const { countries, dailySpendMicros, simultaneousCalls } = callLimits;
  const limits = {
    name,
    whitelisted_destinations: [...countries],
    daily_spend_limit_enabled: true,
    daily_spend_limit: (dailySpendMicros / 1_000_000).toFixed(2),
    concurrent_call_limit: simultaneousCalls,
  } satisfies Telnyx.OutboundVoiceProfileCreateParams;
  const [found, ...others] = await findProfiles(api, name);
  const made = found
    ? await api.write("PATCH", `outbound_voice_profiles/${found.id}`, one(Profile), limits)
    : await api.write("POST", "outbound_voice_profiles", one(Profile), limits);
  return [made.data.id, others.map(({ id }) => id)];
}

async function ensureConnection(api: Api, wanted: WantedTrunk, profileId: string): Promise<void> {
  const settings = {
    connection_name: wanted.name,
    user_name: wanted.user,
    password: wanted.password,
    active: true,
    inbound: { ani_number_format: "+E.164", dnis_number_format: "+e164", codecs: ["G722", "G711U", "G711A"] },
    outbound: { outbound_voice_profile_id: profileId },
  } satisfies Telnyx.CredentialConnectionCreateParams;
  const found = await findConnection(api, wanted.name);
  if (found) await api.write("PATCH", `credential_connections/${found.id}`, one(Connection), settings);
  else await api.write("POST", "credential_connections", one(Connection), settings);
}

/** The profile is made first. */
export const hasTrunk = async (api: Api, name: string): Promise<boolean> => (await findProfiles(api, name)).length > 0;

/** Only what bears this name: the connection, then the profile that it used and its duplicates. */
export async function removeTrunk(api: Api, name: string): Promise<void> {
  const connection = await findConnection(api, name);
  if (connection) await api.write("DELETE", `credential_connections/${connection.id}`, Done);
  for (const { id } of await findProfiles(api, name)) await api.write("DELETE", `outbound_voice_profiles/${id}`, Done);
}
