import type { CarrierNumber } from "@leadline/adapter-kit/carrier-numbers";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/** The matches of a search, best first: by place if the query has letters, by digits otherwise. */
export function searchStock(stock: readonly CarrierNumber[], query: string | null): CarrierNumber[] {
  if (query === null) return [...stock];
  const words = plain(query);
  if (/\p{L}/u.test(words)) {
    return ranked(stock, ({ location, region }) => {
      const places = [plain(location ?? ""), plain(region ?? "")];
      if (places.some((place) => place.startsWith(words))) return 0;
      return places.some((place) => place.includes(words)) ? 1 : null;
    });
  }
  const digits = query.replaceAll(/\D/g, "");
  if (digits === "") return [];
  return ranked(stock, ({ number }) => {
    const parsed = parsePhoneNumberFromString(number);
    const abroad = number.slice(1);
    const home = parsed?.formatNational().replaceAll(/\D/g, "") ?? "";
    if (parsed?.nationalNumber.startsWith(digits) || home.startsWith(digits)) return 0;
    if (query.trimStart().startsWith("+")) return abroad.startsWith(digits) ? 1 : null;
    return abroad.includes(digits) || home.includes(digits) ? 2 : null;
  });
}

function ranked(stock: readonly CarrierNumber[], rankOf: (candidate: CarrierNumber) => number | null): CarrierNumber[] {
  return stock
    .flatMap((candidate) => {
      const rank = rankOf(candidate);
      return rank === null ? [] : [{ candidate, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ candidate }) => candidate);
}

const undecomposed: Record<string, string> = { ø: "o", ł: "l", đ: "d", ß: "ss", æ: "ae", "’": "'" };

/** Without diacritics, as someone without the country's keyboard types it. */
const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[øłđßæ’]/g, (letter) => undecomposed[letter] ?? letter)
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "");
