import { type RefObject, useEffect, useRef } from "react";

export interface PadKeys {
  press: (key: string) => void;
  enter: () => void;
  backspace: () => void;
  escape: () => void;
  paste: (event: ClipboardEvent) => void;
}

const isEditable = (element: Element): boolean =>
  element.matches("input, textarea, select, [contenteditable=true], [contenteditable='']");

const keepsItsKeys =
  "[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=combobox], form, [data-keeps-keys]";

/**
 * Typing anywhere on the page goes to the pad, unless it belongs to another field or its surroundings, a dialog or a
 * menu.
 */
export function usePadKeyboard(field: RefObject<HTMLInputElement | null>, keys: PadKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });

  useEffect(() => {
    const belongsElsewhere = (target: EventTarget | null): boolean =>
      target instanceof Element &&
      target !== field.current &&
      (isEditable(target) || target.closest(keepsItsKeys) !== null);

    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const { target, key } = event;
      if (belongsElsewhere(target)) return;
      const typesIntoField = target === field.current && field.current?.readOnly === false;
      if (key === "Enter") {
        // A focused button or link keeps its own Enter.
        if (target instanceof Element && target.closest("button, a, [role=button], [role=tab]")) return;
        event.preventDefault();
        latest.current.enter();
      } else if (key === "Escape") latest.current.escape();
      else if (typesIntoField) return;
      else if (/^[0-9*#+]$/.test(key)) {
        event.preventDefault();
        moveIntoField(field.current);
        latest.current.press(key);
      } else if (key === "Backspace") {
        event.preventDefault();
        latest.current.backspace();
      }
    };
    const onPaste = (event: ClipboardEvent): void => {
      if (target(event) !== field.current && !belongsElsewhere(event.target)) latest.current.paste(event);
    };
    window.addEventListener("keydown", onKeyDown);
    window.addEventListener("paste", onPaste);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
      window.removeEventListener("paste", onPaste);
    };
  }, [field]);
}

/** So that the next Enter calls, whatever button had the focus before. */
function moveIntoField(input: HTMLInputElement | null): void {
  if (!input || document.activeElement === input) return;
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}

const target = (event: Event): EventTarget | null => event.target;
