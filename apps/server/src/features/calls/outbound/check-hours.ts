import { isOpenAt } from "@leadline/contract/opening-hours";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import { outsideCallingHours } from "../../calling-hours/outside-calling-hours.ts";
import { readHours } from "../../organisations/read-hours.ts";

export interface HoursAsked {
  /** Refuse the call if the organisation is closed. */
  askWhenClosed?: boolean | undefined;
  /** The person's reason for calling anyway. */
  outsideHoursReason?: string | undefined;
}

interface Checked {
  /** Throws, so that the page can ask the person. Call it after everything else that may refuse the call. */
  refuse: () => void;
  /** The reason, if one was needed, to be stored with the call. */
  override: string | null;
}

/**
 * Checks the organisation's opening hours and the callee's calling hours, each on its own clock. Outside the callee's
 * hours every call needs a reason.
 */
export async function checkHours(
  tx: Tx,
  { organisationId, phoneNumber }: { organisationId: string; phoneNumber: string },
  { askWhenClosed = false, outsideHoursReason }: HoursAsked,
): Promise<Checked> {
  const hours = await readHours(tx, organisationId);
  const now = new Date();
  const isClosed = !isOpenAt(hours, now);
  const atCallee = outsideCallingHours(hours.callingHours, phoneNumber, now);
  return {
    refuse() {
      if (outsideHoursReason !== undefined) return;
      const closed = "Your organisation is closed now.";
      if (atCallee !== null) throw new Problem("outside-calling-hours", isClosed ? `${atCallee} ${closed}` : atCallee);
      if (isClosed && askWhenClosed) throw new Problem("outside-hours", closed);
    },
    override: (isClosed || atCallee !== null) && outsideHoursReason !== undefined ? outsideHoursReason : null,
  };
}
