import type { Call } from "@leadline/contract/calls";
import { withheldNumber } from "./withheld-number.ts";

export type OtherEnd = Pick<Call, "phoneNumber" | "callerId">;

/** The other party: the number formatted with `format`, otherwise the caller's own text. */
export const otherEnd = ({ phoneNumber, callerId }: OtherEnd, format: (phoneNumber: string) => string): string =>
  phoneNumber === "" ? (callerId ?? withheldNumber) : format(phoneNumber);
