import { z } from "zod";

/** What the network says about an inbound caller's number (STIR/SHAKEN; `verstat` in 3GPP TS 24.229). */
export const CallerVerification = z
  .enum(["passed", "passed-a", "passed-b", "passed-c", "failed", "failed-a", "failed-b", "failed-c", "none"])
  .describe(
    "passed-a, and passed without a level, confirm the number; passed-b and passed-c only confirm where the call comes from. failed: the signature is wrong, so the number may be spoofed. none: the call carried no signature that could be checked",
  );
export type CallerVerification = z.infer<typeof CallerVerification>;

/** Whether it confirms the number: B and C attest to the call's origin only. */
export const confirmsNumber = (verification: CallerVerification): boolean =>
  verification === "passed" || verification === "passed-a";
