import type { CarrierConnection } from "@leadline/contract/carriers";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { type CarrierDeps, noCarrier } from "../carrier-deps.ts";
import { selectCarriers } from "../carriers.table.ts";
import { toConnection } from "../list-carriers.ts";
import { countTry, deleteCode, insertVerified } from "./caller-ids.table.ts";
import { hashCode } from "./hash-code.ts";

const maxTries = 5;

/** The count of a wrong code must be committed, so nothing is thrown before the transaction has ended. */
export async function verifyCallerId(
  deps: CarrierDeps,
  caller: Member,
  { carrierId, code }: { carrierId: string; code: string },
): Promise<CarrierConnection> {
  const organisationId = caller.organisation.id;
  const key = { organisationId, carrierId };
  const { stored, outcome } = await deps.database.withTransaction(
    { userId: caller.userId, organisationId },
    async (tx) => {
      const [carrier] = await selectCarriers(tx, key);
      const tried = await countTry(tx, key);
      const isRight = tried?.codeHash.equals(hashCode(carrierId, code)) === true && tried.tries <= maxTries;
      if (tried && isRight) await insertVerified(tx, organisationId, tried);
      if (isRight || (tried && tried.tries >= maxTries)) await deleteCode(tx, key);
      return { stored: carrier, outcome: isRight ? "right" : tried && tried.tries < maxTries ? "wrong" : "over" };
    },
  );
  if (!stored) throw noCarrier();
  if (outcome === "over")
    throw new Problem("caller-id-not-verified", "This code is no longer valid. Have the number called again.");
  if (outcome === "wrong")
    throw new Problem(
      "caller-id-not-verified",
      "That’s not the code that was read out. Check the digits and try again.",
    );
  return toConnection(deps, stored);
}
