import type { TrunkSettings } from "../settings.ts";
import { withoutSeparators } from "../signalling/verbatim-uri.ts";

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");
/** What is dialled before a country code, and before a number of one's own country. */
const prefixes = [/^(00|011)/, /^0/];
/** Some providers name only the last digits of a number; fewer would fit by chance. */
const fewestDigits = 4;
/** Shorter, it is an extension. */
const isNumber = (text: string): boolean => digitsOf(text).length >= 7;

export interface Called {
  /** One of the trunk's own as it stands in the settings; otherwise what the trunk wrote. */
  number: string;
  /** Whether it may ring here: one of the trunk's own, or the account itself; anything where no numbers are given. */
  isOurs: boolean;
}

/** Providers name the number in the request's URI, or call the account there and name it in To. */
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
    // A PBX calls its extension by the account: To may then be whatever was dialled first.
    isOurs: settings.numbers.length === 0 || own !== undefined || (isAccount && !isNumber(written)),
  };
}

/** Those that these digits may mean, written in full, as dialled from abroad or from within the country, or cut short. */
function fits(numbers: readonly string[], digits: string): string[] {
  const whole = numbers.filter((number) => digitsOf(number) === digits);
  if (whole.length > 0) return whole.slice(0, 1);
  const readings = [digits, ...prefixes.map((prefix) => digits.replace(prefix, ""))];
  const endings = readings.filter(({ length }) => length >= fewestDigits);
  return numbers.filter((number) => endings.some((ending) => digitsOf(number).endsWith(ending)));
}
