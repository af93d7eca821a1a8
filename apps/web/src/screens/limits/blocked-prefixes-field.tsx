import { BlockedPrefix } from "@leadline/contract/limits";
import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { z } from "zod";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

/** A form’s value: what is in the field is a change too, and is saved like a prefix in the list. */
export interface Prefixes {
  listed: readonly string[];
  typed: string;
}

export const prefixesOf = (listed: readonly string[]): Prefixes => ({ listed, typed: "" });

const withPrefix = (listed: readonly string[], prefix: string): string[] =>
  [...new Set([...listed, prefix])].toSorted();

/** The list to save; the fault of the typed text, if any, is the field’s. */
export const PrefixesInput = z.custom<Prefixes>().transform(({ listed, typed }, context): string[] => {
  if (typed.trim() === "") return [...listed];
  const { data, error } = BlockedPrefix.safeParse(typed);
  for (const { message } of error?.issues ?? []) context.addIssue(message);
  return data === undefined ? z.NEVER : withPrefix(listed, data);
});

interface BlockedPrefixesFieldProps {
  value: Prefixes;
  onChange: (value: Prefixes) => void;
  message: string | undefined;
  help: string;
}

export function BlockedPrefixesField({ value, onChange, message, help }: BlockedPrefixesFieldProps) {
  const { listed, typed } = value;
  const [refusal, setRefusal] = useState<string>();
  const add = () => {
    const { data, error } = BlockedPrefix.safeParse(typed);
    setRefusal(error?.issues[0]?.message);
    if (data !== undefined) onChange(prefixesOf(withPrefix(listed, data)));
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
              onChange={(event) => {
                setRefusal(undefined);
                onChange({ listed, typed: event.target.value });
              }}
              onKeyDown={onKeyDown}
            />
            <Button tone="plain" className="max-md:h-11" disabled={typed.trim() === ""} onClick={add}>
              Block
            </Button>
          </div>
        )}
      </Field>
      {listed.length > 0 ? (
        <ul aria-label="Blocked prefixes" className="flex flex-wrap gap-1.5">
          {listed.map((prefix) => (
            <li
              key={prefix}
              className="inline-flex h-8 items-center gap-1 rounded-full border border-line bg-panel pr-0.5 pl-3 text-table tabular-nums"
            >
              {prefix}
              <button
                type="button"
                aria-label={`Unblock ${prefix}`}
                onClick={() => onChange({ listed: listed.filter((other) => other !== prefix), typed })}
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
