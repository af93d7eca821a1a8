import { countryName } from "@leadline/contract/countries";
import { X } from "lucide-react";
import { countryOptions } from "../../components/country-options.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { Field } from "../../ui/field.tsx";

interface AllowedCountriesFieldProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  message: string | undefined;
  /** The countries to choose from; all if omitted. */
  among?: readonly string[];
  help: string;
}

export function AllowedCountriesField({ value, onChange, message, among, help }: AllowedCountriesFieldProps) {
  const isChoice = (country: string) => !value.includes(country) && (among?.includes(country) ?? true);
  return (
    <div className="flex flex-col gap-2.5">
      <Field label="Allowed countries" help={help} message={message}>
        {(control) => (
          <Combobox
            {...control}
            options={countryOptions.filter((country) => isChoice(country.value))}
            value=""
            onValueChange={(country) => onChange([...value, country])}
            placeholder="Allow another country"
            searchLabel="Search countries"
          />
        )}
      </Field>
      {value.length > 0 ? (
        <ul aria-label="Allowed countries" className="flex flex-wrap gap-1.5">
          {value.map((country) => (
            <li
              key={country}
              className="inline-flex h-8 items-center gap-1 rounded-full border border-line bg-panel pr-0.5 pl-3 text-table"
            >
              {countryName(country)}
              <button
                type="button"
                aria-label={`Remove ${countryName(country)}`}
                onClick={() => onChange(value.filter((other) => other !== country))}
                className="grid size-7 place-items-center rounded-full text-ink-soft hover:bg-ink/6 hover:text-ink"
              >
                <X className="size-3.5" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-table text-ink-soft">None. All outbound calls are refused.</p>
      )}
    </div>
  );
}
