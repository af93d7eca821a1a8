import { Globe } from "lucide-react";
import { countryName } from "../numbers/format-number.ts";
import { drawsFlags } from "./draws-flags.ts";

/** The country's two letters as regional indicators. */
const flagOf = (country: string): string =>
  String.fromCodePoint(...[...country].map((letter) => 0x1_f1_e6 + letter.charCodeAt(0) - 65));

/** The country being dialled: its letters, and its flag if the system has flag emoji. */
export function CountryChip({ country }: { country: string | null }) {
  const known = country !== null && /^[A-Z]{2}$/.test(country);
  const name = known ? countryName(country) : "No country yet";
  return (
    <span
      role="img"
      aria-label={`Country: ${name}`}
      title={name}
      data-country={country ?? ""}
      className="inline-flex h-7 min-w-9 items-center justify-center gap-1.5 rounded-[6px] bg-sunk px-1.5 text-xs font-semibold"
    >
      {known ? (
        <>
          {drawsFlags() ? (
            <span aria-hidden="true" className="text-sm/none">
              {flagOf(country)}
            </span>
          ) : null}
          {country}
        </>
      ) : (
        <Globe className="size-4 text-ink-soft" aria-hidden="true" />
      )}
    </span>
  );
}
