import * as fc from "fast-check";

/** The part of JSON Schema 2020-12 that the contract's document uses. */
export interface JsonSchema {
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
}

/**
 * Text that has broken servers before: NUL, half a surrogate pair, and special characters of SQL, LIKE, HTML, paths and
 * formats.
 */
const awkwardTexts = [
  "\0",
  "a\0b",
  "\ud800",
  "\udfff half",
  "' or 1=1; --",
  "%_\\",
  "../../../etc/passwd",
  "<script>alert(1)</script>",
  "${7*7}{{7*7}}%s%n",
  "\u202eright\u200d to left",
  "👩‍👩‍👧‍👦",
  "\r\nx-forged: yes",
  "0000-01-01",
  "9".repeat(400),
  "NaN",
  "-0",
  "__proto__",
];
const hugeText = "x".repeat(100_000);

export const awkwardText = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...awkwardTexts) },
    { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constant(hugeText) },
  );

/** Anything but the expected value. */
export const awkwardValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    awkwardText(),
    fc.constantFrom<unknown>(null, true, [], {}, "", -1, 0.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 63),
    fc.array(awkwardText(), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("__proto__", "constructor", "id", "length"), fc.jsonValue(), { maxKeys: 2 }),
    fc.jsonValue(),
  );

/**
 * Values that match the schema, edge cases often; `ids` belong to existing things, so that requests get past
 * validation.
 */
export function fitting(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const { anyOf, allOf, enum: choices } = schema;
  if ("const" in schema) return fc.constant(schema.const);
  if (choices) return fc.constantFrom(...choices);
  if (anyOf) return fc.oneof(...anyOf.map((one) => fitting(one, ids)));
  if (allOf) return fc.tuple(...allOf.map((one) => fitting(one, ids))).map((parts) => Object.assign({}, ...parts));
  switch (schema.type) {
    case "string":
      return fittingText(schema, ids);
    case "integer":
    case "number":
      return fittingNumber(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const { minItems: minLength = 0, maxItems = 4 } = schema;
      return fc.array(fitting(schema.items ?? {}, ids), { minLength, maxLength: Math.min(maxItems, minLength + 4) });
    }
    case "object": {
      const fields: Record<string, fc.Arbitrary<unknown>> = {};
      for (const [name, field] of Object.entries(schema.properties ?? {})) fields[name] = fitting(field, ids);
      return fc.record(fields, { requiredKeys: schema.required ?? [] });
    }
    default:
      return fc.jsonValue();
  }
}

function fittingText(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 1_000 } = schema;
  if (format === "uuid") return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (format === "email" || format === "idn-email") return fc.emailAddress();
  if (format === "date")
    return fc.constantFrom("2026-02-28", "2026-03-29", "0000-01-01", "0001-01-01", "9999-12-31", "2024-02-29");
  if (format === "date-time")
    return fc.constantFrom("2026-02-28T12:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999-14:00");
  if (pattern) return fc.oneof(fc.constantFrom(...ids), matching(pattern));
  return fc.oneof(
    fc.string({ unit: "binary", minLength, maxLength: Math.min(maxLength, minLength + 40) }),
    fc.constantFrom("+12025550100", "Europe/Berlin", "true", "US", "2026-06"),
    fc.constantFrom("x".repeat(Math.min(maxLength, 30_000)), ...ids),
    awkwardText().map((awkward) => awkward.padEnd(minLength, "x").slice(0, maxLength)),
  );
}

function matching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    // fast-check can't generate patterns with lookahead.
    return fc.emailAddress();
  }
}

function fittingNumber({
  type,
  minimum = -(2 ** 53),
  maximum = 2 ** 53,
  multipleOf = 1,
}: JsonSchema): fc.Arbitrary<number> {
  const edges = fc.constantFrom(minimum, maximum);
  if (type === "number") return fc.oneof(edges, fc.double({ min: minimum, max: maximum, noNaN: true }));
  const [min, max] = [Math.max(minimum, -(2 ** 31)), Math.min(maximum, 2 ** 31 - 1)];
  const multiples = fc.integer({ min: Math.ceil(min / multipleOf), max: Math.floor(max / multipleOf) });
  return fc.oneof(
    edges,
    multiples.map((count) => count * multipleOf),
  );
}

/** Matches except for one field, which is awkward, missing or unknown; or doesn't match at all. */
export function spoiled(schema: JsonSchema, ids: readonly string[]): fc.Arbitrary<unknown> {
  const changes = fc.constantFrom("replace", "replace", "replace", "remove", "add", "whole");
  return fc.tuple(fitting(schema, ids), awkwardValue(), fc.nat(), changes).map(([value, awkward, at, change]) => {
    if (change === "whole" || typeof value !== "object" || value === null) return awkward;
    const names = Object.keys(schema.properties ?? value);
    const name = change === "add" ? "notInTheSchema" : (names[at % Math.max(names.length, 1)] ?? "notInTheSchema");
    const entries = Object.entries(value).filter(([key]) => key !== name);
    return Object.fromEntries(change === "remove" ? entries : [...entries, [name, awkward]]);
  });
}
