import { createHash, randomUUID } from "node:crypto";
import { PaymentError, type PaymentProvider, type WantedCharge } from "@leadline/adapter-kit/payment";
import type { TopUp } from "@leadline/contract/top-ups";
import { asLeadline } from "../../db/as-leadline.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { requireOrganisation } from "../organisations/find-organisation.ts";
import { pauseAutomatic } from "./automatic/balance-settings.table.ts";
import { type OpenPayment } from "./open-payments.ts";
import { type TopUpDeps, toTopUp } from "./top-up-deps.ts";
import {
  countOpen,
  deleteRefusedTopUp,
  findTopUp,
  findTopUpByIdempotencyKey,
  insertTopUp,
  lockTopUps,
  markStarted,
  type StoredTopUp,
} from "./top-ups.table.ts";

/** An open one expires after a day. */
const maxOpen = 20;

interface StartTopUp {
  caller: Member;
  amountMicros: number;
  savesMethod?: boolean | undefined;
  idempotencyKey: string;
  /** The app's origin in the browser. */
  origin: string;
}

/** Stores the intent, then asks the provider: after a crash in between, resume-top-ups.ts completes the row. */
export async function startTopUp(deps: TopUpDeps, wish: StartTopUp): Promise<TopUp> {
  const { inUse } = deps.payments;
  if (inUse === null)
    throw new Problem("payments-off", "This server takes no payments. Ask its administrator to set up a provider.");
  const topUp = await writeIntent(deps, wish, inUse);
  try {
    return toTopUp(deps, await startCheckout(deps, topUp));
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    deps.log.error({ err: error, topUpId: topUp.id }, "a checkout could not be started");
    const code = error.fault === "refused" ? "payment-refused" : "payment-unreachable";
    throw new Problem(code, `${error.message} You haven’t been charged.`);
  }
}

/** This request's row, or the row of an earlier request with its key. */
async function writeIntent(
  deps: TopUpDeps,
  { caller, amountMicros, savesMethod = false, idempotencyKey, origin }: StartTopUp,
  { module, provider: paidAt }: OpenPayment,
): Promise<StoredTopUp> {
  const organisationId = caller.organisation.id;
  const { userId: askedBy } = caller;
  const requestHash = createHash("sha256")
    .update(`${amountMicros}${savesMethod ? " saved" : ""}`)
    .digest("hex");
  const id = randomUUID();
  const returnUrl = new URL(`/settings/billing/top-ups/${id}`, origin).href;
  const topUp = await deps.database.withTransaction({ organisationId, userId: askedBy }, async (tx) => {
    await lockTopUps(tx, organisationId);
    const key = { organisationId, askedBy, idempotencyKey };
    const earlier = await findTopUpByIdempotencyKey(tx, key);
    if (earlier) return earlier;
    if ((await countOpen(tx, organisationId)) >= maxOpen)
      throw new Problem(
        "quota-reached",
        `${maxOpen} top-ups are waiting for payment. Pay or cancel one of them first.`,
      );
    const { name } = await requireOrganisation(tx, { userId: askedBy, organisationId });
    const description = `Leadline balance, ${name}`;
    const { id: provider } = module;
    const saved = { savesMethod: savesMethod && paidAt.savedMethods !== undefined, savedMethod: null };
    await insertTopUp(tx, { ...key, id, provider, amountMicros, description, returnUrl, requestHash, ...saved });
    return findTopUp(tx, { organisationId, id });
  });
  if (!topUp) throw new Error("a top-up that was written is not there");
  if (topUp.requestHash !== requestHash)
    throw new Problem("idempotency-key-reused", "This key was used for another amount. Use a new one for each top-up.");
  return topUp;
}

/** Called again, starts no second checkout. Deletes the row if the provider refuses. */
export async function startCheckout(deps: TopUpDeps, topUp: StoredTopUp): Promise<StoredTopUp> {
  if (topUp.state !== "starting") return topUp;
  const { id: reference, organisationId, amountMicros, description, returnUrl, savesMethod, savedMethod } = topUp;
  const provider = deps.payments.find(topUp.provider)?.provider;
  if (!provider) throw new PaymentError("unreachable", "The payment provider is turned off on this server.");
  const inOrganisation = { organisationId };
  const asked =
    savedMethod === null
      ? provider.startCheckout({ reference, amountMicros, description, returnUrl, savesMethod })
      : charge(provider, { reference, amountMicros, description, savedMethod });
  const checkout = await asked.catch(async (error: unknown) => {
    if (error instanceof PaymentError && error.fault === "refused")
      await deps.database.withTransaction(inOrganisation, (tx) =>
        asLeadline(tx, savedMethod === null ? "top-up.refused" : "automatic-top-up.refused", async () => {
          await deleteRefusedTopUp(tx, topUp);
          if (savedMethod !== null) await pauseAutomatic(tx, organisationId, error.message);
        }),
      );
    throw error;
  });
  const started = await deps.database.withTransaction(inOrganisation, async (tx) => {
    await markStarted(tx, topUp, checkout);
    return findTopUp(tx, topUp);
  });
  if (!started) throw new Error("a top-up went while its checkout was started");
  return started;
}

async function charge(provider: PaymentProvider, wanted: WantedCharge): Promise<{ id: string; url: null }> {
  const { savedMethods } = provider;
  if (!savedMethods) throw new PaymentError("refused", "The payment provider can’t charge saved payment methods.");
  return { ...(await savedMethods.charge(wanted)), url: null };
}
