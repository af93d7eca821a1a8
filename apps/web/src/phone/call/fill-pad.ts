import type { Phone } from "./create-phone.ts";

/**
 * Puts an E.164 number on the pad before it is called from elsewhere; formatted as soon as the numbering plans have
 * loaded.
 */
export function fillPad(phone: Phone, phoneNumber: string, leadId?: string): void {
  phone.setPadText(phoneNumber, leadId);
  // Without them, it stays unformatted.
  group(phone, phoneNumber, leadId).catch(() => {});
}

async function group(phone: Phone, phoneNumber: string, leadId?: string): Promise<void> {
  const { formatAsTyped } = await import("../numbers/format-number.ts");
  const { padText, phase } = phone.getState();
  // An ended call stays shown until it is dismissed, and new text on the pad would dismiss it.
  if (padText === phoneNumber && phase !== "ended") phone.setPadText(formatAsTyped(phoneNumber), leadId);
}
