import type { Call } from "@leadline/contract/calls";
import { withheldNumber } from "./withheld-number.ts";

export type OtherEnd = Pick<Call, "phoneNumber" | "callerId">;

/** Who is at the other end: the number as `format` writes it, else what the caller's side wrote. */
export const otherEnd = ({ phoneNumber, callerId }: OtherEnd, format: (phoneNumber: string) => string): string =>
  phoneNumber === "" ? (callerId ?? withheldNumber) : format(phoneNumber);
