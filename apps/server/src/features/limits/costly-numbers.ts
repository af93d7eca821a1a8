import { type PhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/max";

/** Premium-rate number types, and frequent targets of toll fraud, in every country. */
const costlyTypes: ReadonlySet<ReturnType<PhoneNumber["getType"]>> = new Set([
  "PREMIUM_RATE",
  "SHARED_COST",
  "PERSONAL_NUMBER",
  "PAGER",
]);

/** Ranges that libphonenumber's metadata classifies as ordinary, from the countries' own numbering plans. */
const costlyRanges: readonly RegExp[] = [
  /** North America: pay-per-call exchange 976, and Canada's 600, which holds satellite phones. */
  /^\+1(\d{3}976\d{4}|600\d{7})$/,
  /** Australia's satellite phones. */
  /^\+61147/,
  /** Finland's service numbers. */
  /^\+358(60|70)/,
  /** Japan's Navi Dial. */
  /^\+81570/,
  /** Dutch personal and forwarding numbers. */
  /^\+318[47]/,
  /** Portugal's value-added services. */
  /^\+35170[78]/,
  /** South Africa's MaxiCall. */
  /^\+2786/,
  /** Global satellite and international networks, international shared-cost and premium rate. */
  /^\+(870|878|881|882|883|808|979)/,
];

/** E.164. Premium-rate, shared-cost, personal, pager and satellite numbers can cost many times an ordinary call. */
export const isCostlyNumber = (phoneNumber: string): boolean =>
  costlyTypes.has(parsePhoneNumberFromString(phoneNumber)?.getType()) ||
  costlyRanges.some((range) => range.test(phoneNumber));
