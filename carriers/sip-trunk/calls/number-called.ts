import type { TrunkSettings } from "../settings.ts";
import { withoutSeparators } from "../signalling/verbatim-uri.ts";

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");
/** International and national dialling prefixes. */
const prefixes = [/^(00|011)/, /^0/];
/** Some providers send only the last digits of a number; fewer would match by chance. */
const fewestDigits = 4;
/** Anything shorter is an extension. */
const isNumber = (text: string): boolean => digitsOf(text).length >= 7;

export interface Called {
  /** One of the trunk's own numbers as configured; otherwise what the trunk sent. */
  number: string;
  /**
   * Whether it may ring here: one of the trunk's own numbers, or the account itself; anything if no numbers are
   * configured.
   */
  isOurs: boolean;
}

/** Providers put the number into the request URI, or the account there and the number into To. */
export function numberCalled(
  settings: Pick<TrunkSettings, "user" | "numbers">,
  named: { requestUser: string; toUser: string | undefined },
): Called {
  const account = settings.user ?? "leadline";
  const isAccount = named.requestUser === account || named.requestUser === "";
  const written = withoutSeparators(isAccount ? (named.toUser ?? named.requestUser) : named.requestUser);
  const fitting = fits(settings.numbers, digitsOf(written));
  const [own, another] = fitting;
  return {
    number: own !== undefined && another === undefined ? own : written,
    // A PBX calls its extension by the account: To may then contain whatever was dialled first.
    isOurs: settings.numbers.length === 0 || own !== undefined || (isAccount && !isNumber(written)),
  };
}

/**
 * The numbers that these digits may stand for: in full, with a dialling prefix from abroad or within the country, or
 * shortened.
 */
function fits(numbers: readonly string[], digits: string): string[] {
  const whole = numbers.filter((number) => digitsOf(number) === digits);
  if (whole.length > 0) return whole.slice(0, 1);
  const readings = [digits, ...prefixes.map((prefix) => digits.replace(prefix, ""))];
  const endings = readings.filter(({ length }) => length >= fewestDigits);
  return numbers.filter((number) => endings.some((ending) => digitsOf(number).endsWith(ending)));
}
