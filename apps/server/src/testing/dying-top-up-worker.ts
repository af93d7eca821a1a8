import type { WantedCharge, WantedCheckout } from "@leadline/adapter-kit/payment";
import { payment } from "@leadline/payment-sandbox/server";
import { z } from "zod";
import { openDatabase } from "../db/database.ts";
import { startAutomaticTopUps } from "../features/top-ups/automatic/start-automatic-top-ups.ts";
import { openPayments } from "../features/top-ups/open-payments.ts";
import { settleTopUp } from "../features/top-ups/settle-top-up.ts";
import { startTopUp } from "../features/top-ups/start-top-up.ts";
import type { TopUpDeps } from "../features/top-ups/top-up-deps.ts";
import { createLog } from "../log.ts";

const Death = z.object({
  databaseUrl: z.string(),
  dataDir: z.string(),
  moduleId: z.string(),
  organisationId: z.string(),
  userId: z.string(),
  idempotencyKey: z.string(),
  /** The top-up to settle. "new" starts one; "automatic" makes those that are due. */
  topUp: z.string(),
  dies: z.enum(["before the provider is asked", "before its answer is kept", "before the credit is posted"]),
});

/** A process that tops up, charges a saved payment method or credits a payment, and is killed during that, as by `kill -9`. */
const given = Death.parse(JSON.parse(process.argv[2] ?? ""));
const dieAt = (step: typeof given.dies) => {
  if (step === given.dies) process.kill(process.pid, "SIGKILL");
};
const { databaseUrl, dataDir, organisationId, userId, idempotencyKey, topUp } = given;
const dying = {
  ...payment,
  id: given.moduleId,
  open(...args: Parameters<typeof payment.open>) {
    const provider = payment.open(...args);
    if (!provider?.savedMethods) return null;
    const { savedMethods } = provider;
    const dyingAround = async <T>(ask: () => Promise<T>): Promise<T> => {
      dieAt("before the provider is asked");
      const answer = await ask();
      dieAt("before its answer is kept");
      return answer;
    };
    return {
      ...provider,
      startCheckout: (wanted: WantedCheckout) => dyingAround(() => provider.startCheckout(wanted)),
      savedMethods: {
        ...savedMethods,
        charge: (wanted: WantedCharge) => dyingAround(() => savedMethods.charge(wanted)),
      },
      async readPayment(checkoutId: string) {
        const current = await provider.readPayment(checkoutId);
        dieAt("before the credit is posted");
        return current;
      },
    };
  },
};
const log = createLog("fatal");
const payments = openPayments([dying], { environment: {}, dataDir, onReport: async () => {}, log });
const deps: TopUpDeps = { database: openDatabase(databaseUrl, log), payments, seller: { lines: [], tax: null }, log };
const caller = { userId, sessionId: "", organisation: { id: organisationId, role: "owner" as const } };
const origin = "https://leadline.test";
if (topUp === "new") await startTopUp(deps, { caller, amountMicros: 25_000_000, idempotencyKey, origin });
else if (topUp === "automatic") await startAutomaticTopUps(deps);
else await settleTopUp(deps, { organisationId, id: topUp });
