import { dialableOf, isDialable } from "./dialable-characters.ts";

export interface NumberText {
  /** As shown, with its groups. */
  text: string;
  /** Between the characters of `text`. */
  caret: number;
}

/** Returns the grouped form of dialable characters and must keep each of them: see format-number.ts. */
export type Format = (dialable: string) => string;

/**
 * The side of the caret on which the browser's own edit deleted only a separator; null for any other edit. `inputType`
 * names the edit (Input Events, section 4.1.2): pasting a whole number without separators deletes none.
 */
export function deletedSeparator(was: string, now: string, inputType: string): "before" | "after" | null {
  if (!inputType.startsWith("delete") || now.length >= was.length || dialableOf(now) !== dialableOf(was)) return null;
  return inputType.endsWith("Forward") ? "after" : "before";
}

/**
 * The field's content after the browser's own edit, regrouped, with the caret after the same digit as before. If the
 * edit only deleted a separator, the adjacent digit goes too: `deleted` is its side.
 */
export function regroup(edited: NumberText, format: Format, deleted: "before" | "after" | null = null): NumberText {
  const before = dialableOf(edited.text.slice(0, edited.caret));
  const after = dialableOf(before + edited.text.slice(edited.caret)).slice(before.length);
  if (deleted === "before") return place(before.slice(0, -1) + after, before.length - 1, format);
  return place(before + (deleted === "after" ? after.slice(1) : after), before.length, format);
}

/** Replaces the selection with characters, from a pressed key or a paste. */
export function insertInto(text: string, selection: [from: number, to: number], inserted: string, format: Format) {
  const start = dialableOf(text.slice(0, selection[0]));
  const joined = dialableOf(start + dialableOf(inserted) + text.slice(selection[1]));
  return place(joined, dialableOf(start + inserted).length, format);
}

/** Backspace: removes the selection, or the digit before the caret, skipping separators. */
export function removeFrom(text: string, selection: [from: number, to: number], format: Format): NumberText {
  const [from, to] = selection;
  const start = dialableOf(text.slice(0, from));
  const kept = from === to ? start.slice(0, -1) : start;
  return place(dialableOf(kept + text.slice(to)), kept.length, format);
}

function place(dialable: string, digitsBefore: number, format: Format): NumberText {
  const text = format(dialable);
  if (digitsBefore >= dialable.length) return { text, caret: text.length };
  let caret = 0;
  for (let passed = 0; passed < digitsBefore && caret < text.length; caret += 1)
    if (isDialable(text[caret] ?? "0")) passed += 1;
  return { text, caret };
}
