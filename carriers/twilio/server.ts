import type { Provisioner, ProvisionerModule, TrunkLimits } from "@leadline/adapter-kit/provisioner";
import { explainRefusal } from "./explain-refusal.ts";
import { settings } from "./settings.ts";
import { verifiesCaller } from "./verifies-caller.ts";

const limits: TrunkLimits = { callsPerSecond: 1, channels: null };
/** Since 3 February 2026. */
const trialChannels = 4;

/** Elastic SIP Trunking by Twilio's own client. */
export const provisioner: ProvisionerModule<typeof settings> = {
  id: "twilio",
  name: "Twilio",
  settings,
  limits,
  callIdHeader: "x-twilio-callsid",
  verifiesCaller,
  keyHelp: "The Account SID and the Auth Token of the account, or of a subaccount made for Leadline.",
  readsRates: true,
  byHand: [
    {
      what: "Raise the calls per second of the trunk, 1 at first and 15 at most",
      where: "Elastic SIP Trunking, Trunks, Termination",
      url: "https://console.twilio.com/us1/develop/elastic-sip-trunking/trunks",
    },
    {
      what: "See how many calls at once the account may have, and enter that here under Carriers, Edit: 2 without a customer profile, 3 with an individual one, any number with a business one",
      where: "Trust Hub, Customer profiles",
      url: "https://console.twilio.com/us1/account/trust-hub/customer-profiles",
    },
    {
      what: "Allow more countries to be called",
      where: "Voice, Settings, Geo permissions",
      url: "https://console.twilio.com/us1/develop/voice/settings/geo-permissions",
    },
  ],
  explainRefusal,
  async open(given, { sandbox }) {
    // Loaded with the first account: the official client is large.
    const [{ openApi }, { toProvisionerError }, trunks, numbers, costs] = await Promise.all([
      import("./client.ts"),
      import("./refusals.ts"),
      import("./trunk.ts"),
      import("./numbers.ts"),
      import("./costs.ts"),
    ]);
    const api = openApi(given, sandbox);
    const explained = async <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        throw error instanceof StepError ? error.cause : toProvisionerError(error);
      });
    const provision: Provisioner = {
      account: () => explained(readAccount(api)),
      ensureTrunk(wanted, onStep) {
        const sip = sandbox?.sip ?? null;
        return explained(
          trunks.ensureTrunk(api, wanted, { sip, onStep: (...step) => onStep(...step).catch(asStepError) }),
        );
      },
      removeTrunk: (name) => explained(trunks.removeTrunk(api, name)),
      searchNumbers: (asked) => explained(numbers.searchNumbers(api, asked)),
      requirements: (country, type, number) => explained(numbers.requirements(api, country, type, number)),
      buy: (intent) => explained(numbers.buy(api, intent)),
      attach: (number, trunk) => explained(numbers.attach(api, number, trunk)),
      release: (number) => explained(numbers.release(api, number)),
      numbers: () => explained(numbers.listHeld(api)),
      rates: (prefix) => explained(costs.rates(api, prefix)),
      async *records(asked) {
        try {
          yield* costs.records(api, asked);
        } catch (error) {
          throw toProvisionerError(error);
        }
      },
      close: () => api.close(),
    };
    return provision;
  },
};

/** Of what a step is stored with, rather than of Twilio. */
class StepError extends Error {}
const asStepError = (cause: unknown): never => {
  throw new StepError("A step could not be stored.", { cause });
};

async function readAccount({ client, accountSid }: import("./client.ts").Api) {
  const account = await client.api.v2010.accounts(accountSid).fetch();
  if (account.sid?.toLowerCase() !== accountSid.toLowerCase())
    throw new Error("The response is about another account.");
  const balance = await client.api.v2010.accounts(accountSid).balance.fetch();
  const isTrial = account.type === "Trial";
  const micros = Math.round(Number(balance.balance) * 1_000_000);
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
