import type { ProvisionerModule, TrunkLimits } from "@leadline/adapter-kit/provisioner";
import { explainRefusal } from "./explain-refusal.ts";
import { settings } from "./settings.ts";
import { verifiesCaller } from "./verifies-caller.ts";

/** Those of an account without a customer profile; the API names neither. */
const limits: TrunkLimits = { callsPerSecond: 1, channels: 2 };

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
    const [{ openApi }, { readAccount }, trunks, numbers, costs] = await Promise.all([
      import("./client.ts"),
      import("./account.ts"),
      import("./trunk.ts"),
      import("./numbers.ts"),
      import("./costs.ts"),
    ]);
    const api = openApi(given, sandbox);
    return {
      account: () => readAccount(api, limits),
      ensureTrunk: (wanted, onStep) => trunks.ensureTrunk(api, wanted, { sip: sandbox?.sip ?? null, onStep }),
      hasTrunk: async (name) => (await trunks.findTrunk(api, name)) !== null,
      removeTrunk: (name) => trunks.removeTrunk(api, name),
      searchNumbers: (asked) => numbers.searchNumbers(api, asked),
      typeOf: (number, country) => numbers.typeOf(api, { number, countryCode: country }),
      requirements: (country, type, number) => numbers.requirements(api, country, type, number),
      buy: (intent) => numbers.buy(api, intent),
      cancel: (order) => numbers.cancel(api, order),
      attach: (number, trunk, { moves }) => numbers.attach(api, { number, trunk, moves }),
      release: (number) => numbers.release(api, number),
      numbers: () => numbers.listHeld(api),
      holds: (number) => numbers.holds(api, number),
      rates: (number) => costs.rates(api, number),
      records: (asked) => costs.records(api, asked),
      close: () => api.close(),
    };
  },
};
