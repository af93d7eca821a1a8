import type { Call } from "@leadline/contract/calls";
import { Problem } from "../../../http/problem.ts";

/** Nobody is sent to, or called beside, themselves. */
export function refuseOwnNumber({ phoneNumber, direction }: Pick<Call, "phoneNumber" | "direction">, to: string): void {
  if (phoneNumber !== to) return;
  const theirs = direction === "inbound" ? "the number they’re calling from" : "the number you called";
  throw new Problem("own-number", `That’s ${theirs}. Choose someone else.`);
}
