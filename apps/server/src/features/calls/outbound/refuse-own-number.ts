import type { Call } from "@leadline/contract/calls";
import { Problem } from "../../../http/problem.ts";

/** Refuses to transfer a far end to their own number, or to call it on the second line. */
export function refuseOwnNumber({ phoneNumber, direction }: Pick<Call, "phoneNumber" | "direction">, to: string): void {
  if (phoneNumber !== to) return;
  const theirs = direction === "inbound" ? "the number they’re calling from" : "the number you called";
  throw new Problem("own-number", `That’s ${theirs}. Choose someone else.`);
}
