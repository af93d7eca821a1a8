import type { BaseSyntheticEvent } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { ProblemError, type ProblemErrorCode, problemDetail } from "../data/problem-error.ts";

interface ProblemPlaces<V extends FieldValues> {
  /** The submit event: the focus goes to a field of its form. */
  event: BaseSyntheticEvent | undefined;
  /** The form's fields; messages for other fields are shown above the form. */
  fields: readonly Path<V>[];
  /** Problems that concern one field as a whole. */
  codes?: Partial<Record<ProblemErrorCode, Path<V>>>;
}

/** Puts an error where it belongs: at its fields, or above the form (`errors.root.server`). The input is kept. */
export function showProblemInForm<V extends FieldValues, C, T extends FieldValues | undefined>(
  form: UseFormReturn<V, C, T>,
  error: unknown,
  { event, fields, codes = {} }: ProblemPlaces<V>,
): void {
  const say = (place: Path<V> | "root.server", message: string, shouldFocus = false) =>
    form.setError(place, { type: "server", message }, { shouldFocus });
  if (!(error instanceof ProblemError)) return say("root.server", problemDetail(error));
  const field = codes[error.code];
  if (field) return say(field, error.detail, true);
  const elsewhere: string[] = [];
  for (const { field: path, message } of error.errors) {
    const known = fields.find((name) => path === name || path.endsWith(`.${name}`) || path.endsWith(`/${name}`));
    if (known) say(known, message);
    else elsewhere.push(message);
  }
  if (elsewhere.length < error.errors.length) focusFirstInvalid(error, event);
  if (error.errors.length === 0 || elsewhere.length > 0) say("root.server", elsewhere.join(" ") || error.detail);
}

/**
 * The first in the form that was submitted, regardless of the order of validation; other forms on the page may have
 * invalid fields too.
 */
export function focusFirstInvalid(_why: unknown, event: BaseSyntheticEvent | undefined): void {
  const target: unknown = event?.target;
  const form = target instanceof Element ? target.closest("form") : null;
  if (form) focusOnceShown(form, 10);
}

/** The faults are shown with the next rendering, which may take more than a frame. */
function focusOnceShown(form: HTMLFormElement, frames: number): void {
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    else if (frames > 1) focusOnceShown(form, frames - 1);
  });
}
