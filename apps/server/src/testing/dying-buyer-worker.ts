import { z } from "zod";
import { openDatabase } from "../db/database.ts";
import { openCarriers } from "../features/carriers/open-carriers.ts";
import { buyPhoneNumber } from "../features/numbers/buy-phone-number.ts";
import { createLog } from "../log.ts";
import { ledgerCarrier } from "./ledger-carrier.ts";
import { numberDepsOf } from "./number-deps-of.ts";

const Purchase = z.object({
  databaseUrl: z.string(),
  organisationId: z.string(),
  userId: z.string(),
  carrierId: z.string(),
  number: z.string(),
  idempotencyKey: z.string(),
  file: z.string(),
});

/**
 * A process that buys a number and is killed, as with `kill -9`, after the carrier has charged and before it replies.
 */
const { databaseUrl, organisationId, userId, carrierId, number, idempotencyKey, file } = Purchase.parse(
  JSON.parse(process.argv[2] ?? ""),
);
const log = createLog("fatal");
const beforeAnswer = () => void process.kill(process.pid, "SIGKILL");
const carriers = await openCarriers([ledgerCarrier({ id: carrierId, file, beforeAnswer })]);
const caller = { userId, sessionId: "", organisation: { id: organisationId, role: "owner" as const } };
const database = openDatabase(databaseUrl, log);
await buyPhoneNumber(numberDepsOf({ database, carriers }), { caller, number, idempotencyKey });
