import { BlockedPrefix } from "@leadline/contract/limits";
import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

interface BlockedPrefixesFieldProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  message: string | undefined;
  help: string;
}

export function BlockedPrefixesField({ value, onChange, message, help }: BlockedPrefixesFieldProps) {
  const [typed, setTyped] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const add = () => {
    const { data, error } = BlockedPrefix.safeParse(typed);
    setRefusal(error?.issues[0]?.message);
    if (data === undefined) return;
    if (!value.includes(data)) onChange([...value, data].toSorted());
    setTyped("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  };
  return (
    <div className="flex flex-col gap-2.5">
      <Field label="Blocked prefixes" help={help} message={refusal ?? message}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              type="tel"
              autoComplete="off"
              placeholder="+44 70"
              maxLength={30}
              {...control}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={onKeyDown}
              // So that saving the form doesn't lose typed text.
              onBlur={() => typed.trim() !== "" && add()}
            />
            <Button tone="plain" className="max-md:h-11" disabled={typed.trim() === ""} onClick={add}>
              Block
            </Button>
          </div>
        )}
      </Field>
      {value.length > 0 ? (
        <ul aria-label="Blocked prefixes" className="flex flex-wrap gap-1.5">
          {value.map((prefix) => (
            <li
              key={prefix}
              className="inline-flex h-8 items-center gap-1 rounded-full border border-line bg-panel pr-0.5 pl-3 text-table tabular-nums"
            >
              {prefix}
              <button
                type="button"
                aria-label={`Unblock ${prefix}`}
                onClick={() => onChange(value.filter((other) => other !== prefix))}
                className="grid size-7 place-items-center rounded-full text-ink-soft hover:bg-ink/6 hover:text-ink"
              >
                <X className="size-3.5" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
