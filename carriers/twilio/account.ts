import { unreadable } from "@leadline/adapter-kit/outbound/ask-vendor";
import type { TrunkLimits, VendorAccount } from "@leadline/adapter-kit/provisioner";
import type { Api } from "./client.ts";
import { answered } from "./refusals.ts";

/** Since 3 February 2026. */
const trialChannels = 4;

/** `limits`: of an account that isn't on trial. */
export async function readAccount({ client, accountSid }: Api, limits: TrunkLimits): Promise<VendorAccount> {
  const account = await answered(client.api.v2010.accounts(accountSid).fetch());
  if (account.sid?.toLowerCase() !== accountSid.toLowerCase()) throw unreadable("Twilio");
  const balance = await answered(client.api.v2010.accounts(accountSid).balance.fetch());
  const isTrial = account.type === "Trial";
  const micros = Math.round(Number(balance.balance ?? Number.NaN) * 1_000_000);
  return {
    id: account.sid,
    name: account.friendlyName,
    balance: Number.isFinite(micros) ? { micros, currency: balance.currency } : null,
    limits: isTrial ? { ...limits, channels: trialChannels } : limits,
    restriction:
      account.status !== "active"
        ? `Twilio has ${account.status} this account. Sign in to the Twilio Console to see why.`
        : isTrial
          ? "This is a trial account: it calls verified numbers only. Upgrade it in the Twilio Console."
          : null,
  };
}
