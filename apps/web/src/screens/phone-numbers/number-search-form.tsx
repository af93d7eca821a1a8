import { countries } from "@leadline/contract/countries";
import { Search } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";

interface NumberSearchFormProps {
  countryCode: string;
  onCountryCode: (countryCode: string) => void;
  text: string;
  onText: (text: string) => void;
  searching: boolean;
  onSearch: () => void;
}

/** United States first, as the default; then by name, so that typing a letter selects the next match. */
const options = countries
  .toSorted((one, other) => one.name.localeCompare(other.name, "en"))
  .map(({ iso, dialCode, name }) => ({
    value: iso,
    label: (
      <>
        {name} <span className="text-ink-soft tabular-nums">{dialCode}</span>
      </>
    ),
  }));

export function NumberSearchForm(props: NumberSearchFormProps) {
  const { countryCode, onCountryCode, text, onText, searching, onSearch } = props;
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSearch();
        }}
        className="grid items-end gap-3 md:grid-cols-[280px_1fr_auto]"
      >
        <Field label="Country">
          {(control) => <Select {...control} options={options} value={countryCode} onValueChange={onCountryCode} />}
        </Field>
        <Field label="Search by digits or area code">
          {(control) => (
            <Input
              {...control}
              type="search"
              autoComplete="off"
              maxLength={40}
              placeholder="Digits, an area code or a town"
              value={text}
              onChange={(event) => onText(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" tone="plain" busy={searching} className="max-md:h-11">
          <Search aria-hidden="true" /> Search
        </Button>
      </form>
    </search>
  );
}
