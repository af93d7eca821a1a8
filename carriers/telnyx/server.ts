import type { ProvisionerModule, TrunkLimits, VendorAccount } from "@leadline/adapter-kit/provisioner";
import { z } from "zod";
import { type Api, openApi } from "./api.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { attach, buy, cancel, holds, listHeld, release, requirements, searchNumbers, typeOf } from "./numbers.ts";
import { records } from "./records.ts";
import { settings } from "./settings.ts";
import { ensureTrunk, hasTrunk, removeTrunk } from "./trunk.ts";

/** Before its verification an account has 2 channels, then 10. */
const limits: TrunkLimits = { callsPerSecond: 10, channels: 2 };

/** Credential connections by Telnyx's API, version 2. */
export const provisioner: ProvisionerModule<typeof settings> = {
  id: "telnyx",
  name: "Telnyx",
  settings,
  limits,
  callIdHeader: "x-call-leg-id",
  verifiesCaller: null,
  keyHelp: "A key with full access: it reads the balance, makes a connection and a voice profile, and orders numbers.",
  readsRates: false,
  byHand: [
    {
      what: "Look up the rates of calls, which the API doesn’t provide",
      where: "Pricing, SIP trunking",
      url: "https://portal.telnyx.com/#/pricing",
    },
    {
      what: "Raise the simultaneous calls, 2 at first and 10 once verified",
      where: "Account, Verifications",
      url: "https://portal.telnyx.com/#/account/verifications",
    },
  ],
  explainRefusal,
  async open(given, { sandbox }) {
    const api = openApi(given, sandbox);
    return {
      account: () => readAccount(api),
      ensureTrunk: (wanted, onStep) => ensureTrunk(api, wanted, { sandbox, onStep }),
      hasTrunk: (name) => hasTrunk(api, name),
      removeTrunk: (name) => removeTrunk(api, name),
      searchNumbers: (asked) => searchNumbers(api, asked),
      typeOf: (number, country) => typeOf(api, { number, countryCode: country }),
      requirements: (country, type) => requirements(api, country, type),
      buy: (intent) => buy(api, intent),
      cancel: (order) => cancel(api, order),
      attach: (number, trunk, { moves }) => attach(api, { number, trunk, moves }),
      release: (number) => release(api, number),
      numbers: () => listHeld(api),
      holds: (number) => holds(api, number),
      rates: async () => ({ of: "country", rates: [] }),
      records: (asked) => records(api, asked),
      close: () => api.close(),
    };
  },
};

const Balance = z.object({ data: z.object({ balance: z.string().nullish(), currency: z.string().nullish() }) });

async function readAccount(api: Api): Promise<VendorAccount> {
  const { data: balance } = await api.get("balance", Balance);
  const micros = Math.round(Number(balance.balance ?? Number.NaN) * 1_000_000);
  return {
    id: null,
    name: null,
    balance: Number.isFinite(micros) ? { micros, currency: balance.currency ?? "USD" } : null,
    limits,
    restriction: null,
  };
}
