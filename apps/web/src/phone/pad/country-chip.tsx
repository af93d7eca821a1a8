import { Globe } from "lucide-react";
import { countryName } from "../numbers/format-number.ts";

/** Regional indicator letters; where the system draws no flags the two letters beside it still say the country. */
const flagOf = (country: string): string =>
  String.fromCodePoint(...[...country].map((letter) => 0x1_f1_e6 + letter.charCodeAt(0) - 65));

/** The country being dialled. Systems without flag pictures show its letters, so it never relies on the picture. */
export function CountryChip({ country }: { country: string | null }) {
  const known = country !== null && /^[A-Z]{2}$/.test(country);
  const name = known ? countryName(country) : "No country yet";
  return (
    <span
      role="img"
      aria-label={`Country: ${name}`}
      title={name}
      data-country={country ?? ""}
      className="inline-flex h-7 min-w-[52px] items-center justify-center gap-1.5 rounded-[6px] bg-sunk px-1.5 text-xs font-semibold"
    >
      {known ? (
        <>
          <span aria-hidden="true" className="text-sm/none">
            {flagOf(country)}
          </span>
          {country}
        </>
      ) : (
        <Globe className="size-4 text-ink-soft" aria-hidden="true" />
      )}
    </span>
  );
}
