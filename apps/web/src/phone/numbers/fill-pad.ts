import type { Phone } from "../call/create-phone.ts";

/** Puts a number, E.164, on the pad before it is called from elsewhere; grouped as soon as the numbering plans are here. */
export function fillPad(phone: Phone, phoneNumber: string, leadId?: string): void {
  phone.setPadText(phoneNumber, leadId);
  // Without them it stands there as it is.
  group(phone, phoneNumber, leadId).catch(() => {});
}

async function group(phone: Phone, phoneNumber: string, leadId?: string): Promise<void> {
  const { formatAsTyped } = await import("./format-number.ts");
  const { padText, phase } = phone.getState();
  // What has ended stays shown until it is put away, which another text on the pad would do.
  if (padText === phoneNumber && phase !== "ended") phone.setPadText(formatAsTyped(phoneNumber), leadId);
}
