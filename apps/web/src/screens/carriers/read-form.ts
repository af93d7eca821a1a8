import type { AccountKind } from "@leadline/contract/carrier-accounts";
import type { CarrierKind } from "@leadline/contract/carriers";
import { z } from "zod";

const Type = z.looseObject({
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]).default([]),
  enum: z.array(z.string()).optional(),
  items: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
});
/** The part of a setting's JSON Schema that a form needs. */
const Property = Type.extend({
  title: z.string(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  anyOf: z.array(Type).optional(),
  unit: z.string().optional(),
  secret: z.boolean().default(false),
  advanced: z.boolean().default(false),
  multiline: z.boolean().default(false),
  choices: z.record(z.string(), z.string()).default({}),
  shownFor: z.record(z.string(), z.array(z.string())).default({}),
});
const Form = z.looseObject({ properties: z.record(z.string(), Property) });

export interface FormField {
  name: string;
  title: string;
  help: string | undefined;
  /** `choices`: several, in an order. `lines`: a list with one item per line. */
  kind: "text" | "long-text" | "secret" | "number" | "choice" | "choices" | "lines";
  /** An empty field is null, not an empty string. */
  nullable: boolean;
  unit: string | undefined;
  advanced: boolean;
  shownFor: Readonly<Record<string, readonly string[]>>;
  choices: readonly { value: string; label: string }[];
  initial: FormValue;
}
/** As typed or chosen. */
export type FormValue = string | readonly string[];
export type FormValues = Readonly<Record<string, FormValue>>;

export const readForm = ({ form }: CarrierKind | AccountKind): FormField[] =>
  Object.entries(Form.parse(form).properties).map(([name, property]) => {
    const kind = kindOf(property);
    const values = property.enum ?? property.items?.enum ?? [];
    return {
      name,
      title: property.title,
      help: property.description,
      kind,
      nullable: [property, ...(property.anyOf ?? [])].some(({ type }) => type.includes("null")),
      unit: property.unit,
      advanced: property.advanced,
      shownFor: property.shownFor,
      choices: values.map((value) => ({ value, label: property.choices[value] ?? value })),
      initial: asTyped(kind, property.default),
    };
  });

function kindOf(property: z.output<typeof Property>): FormField["kind"] {
  if (property.enum) return "choice";
  if (property.type.includes("array")) return property.items?.enum ? "choices" : "lines";
  if (property.type.includes("integer") || property.type.includes("number")) return "number";
  if (property.secret) return "secret";
  return property.multiline ? "long-text" : "text";
}

function asTyped(kind: FormField["kind"], value: unknown): FormValue {
  if (Array.isArray(value)) return kind === "lines" ? value.join("\n") : value.map(String);
  return value === null || value === undefined ? "" : String(value);
}

/** The form's initial values: stored ones, or the carrier's defaults. */
export const startValues = (fields: readonly FormField[], kept: Readonly<Record<string, unknown>> = {}): FormValues =>
  Object.fromEntries(
    fields.map(({ name, kind, initial }) => [name, name in kept ? asTyped(kind, kept[name]) : initial]),
  );

export const isShown = ({ shownFor }: FormField, values: FormValues): boolean =>
  Object.entries(shownFor).every(([other, wanted]) => wanted.includes(String(values[other])));

const linesOf = (typed: string): string[] =>
  typed
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/**
 * The settings as the server expects them. Hidden settings are omitted, which clears them. Secrets that weren't typed
 * are omitted too, which keeps them.
 */
export function toSettings(fields: readonly FormField[], values: FormValues): Record<string, unknown> {
  const entries = fields
    .filter((field) => isShown(field, values))
    .map(({ name, kind, nullable }): [string, unknown] => {
      const value = values[name] ?? "";
      if (typeof value !== "string") return [name, value];
      if (kind === "lines") return [name, linesOf(value)];
      if (kind === "number") return [name, value.trim() === "" ? null : Number(value)];
      return [name, value === "" && nullable ? undefined : value];
    });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Fields that every carrier has. */
const ofConnection: ReadonlySet<string> = new Set(["label", "pricePerMinute", "callsPerSecond", "channels"]);
export const isOfConnection = (name: string): boolean => ofConnection.has(name);

/**
 * Assigns the server's error messages to settings, those for a list to its lines. Messages for no setting are in
 * `elsewhere`.
 */
export function sortMessages(
  fields: readonly FormField[],
  values: FormValues,
  errors: readonly { field: string; message: string }[],
): { byName: Record<string, string>; elsewhere: string[] } {
  const byName: Record<string, string> = {};
  const elsewhere: string[] = [];
  const whole: Record<string, Set<string>> = {};
  const lines: { name: string; message: string; at: string[] }[] = [];
  for (const { field, message } of errors) {
    const [place, name = "", index] = field.split(".");
    const known = place === "settings" || place === "key" ? fields.find((one) => one.name === name) : undefined;
    if (isOfConnection(field)) byName[field] ??= message;
    else if (!known) elsewhere.push(message);
    else if (index === undefined) (whole[name] ??= new Set()).add(message);
    else {
      const same = lines.find((one) => one.name === name && one.message === message);
      const line = lineAt(values[name], Number(index));
      if (same) same.at.push(...line);
      else lines.push({ name, message, at: line });
    }
  }
  for (const [name, messages] of Object.entries(whole)) byName[name] = [...messages].join(" ");
  for (const { name, message, at } of lines) {
    const said = at.length === 0 ? message : `${at.join(", ")}: ${message}`;
    byName[name] = [byName[name], said].filter(Boolean).join(" ");
  }
  return { byName, elsewhere };
}

function lineAt(value: FormValue | undefined, index: number): string[] {
  const line = typeof value === "string" ? linesOf(value)[index] : value?.[index];
  return line === undefined ? [] : [line];
}
