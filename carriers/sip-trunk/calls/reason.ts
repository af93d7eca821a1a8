import type { HangUpNotice } from "@leadline/adapter-kit/carrier";

const cleared: HangUpNotice = { q850: 16, text: "Normal call clearing" };

/** For each of our BYEs and CANCELs (RFC 3326). */
export const reasonValue = ({ q850, text }: HangUpNotice = cleared): string => `Q.850;cause=${q850};text="${text}"`;
export const reasonHeader = (why?: HangUpNotice): string => `Reason: ${reasonValue(why)}`;

export const notices = {
  lost: { q850: 102, text: "Recovery on timer expiry" },
  /** The call was answered elsewhere, or twice. */
  notSelected: { q850: 26, text: "Non-selected user clearing" },
  /** It rang for the configured time. */
  noAnswer: { q850: 19, text: "No answer from user" },
  audioAddressRefused: { q850: 88, text: "Audio address refused" },
  noCommonCodec: { q850: 88, text: "Incompatible destination" },
} as const satisfies Record<string, HangUpNotice>;
