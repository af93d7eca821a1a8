import { type ChangeEvent, type ClipboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { dialableOf, hasLetters, plainDigits } from "../numbers/dialable-characters.ts";
import { deletedSeparator, insertInto, type NumberText, regroup, removeFrom } from "../numbers/edit-number.ts";
import { formatAsTyped } from "../numbers/format-number.ts";
import { lettersToDigits } from "../numbers/letters-to-digits.ts";
import { readPastedNumber } from "../numbers/read-pasted-number.ts";
import { splitExtension } from "../numbers/split-extension.ts";
import { usePhone } from "../phone-context.ts";

export interface NumberEditing {
  text: string;
  /** The last change was typed into the field, not pressed on the pad or pasted. */
  typedIn: boolean;
  /** Why a paste contained no number; empty otherwise. */
  hint: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement> | globalThis.ClipboardEvent) => void;
  insert: (characters: string) => void;
  backspace: () => void;
  /** A lead's number, if one was chosen. */
  set: (text: string, leadId?: string) => void;
}

/** Typed after a number: letters that don't spell any of its digits. */
const startsExtension = /\d[\s,;]*(?:x|e|ex|ext|extn|extension)[\s.:#]*\d*$/i;

interface EditedNumber {
  text: string;
  /** leadId: whose number it is, if one was chosen. */
  setText: (text: string, leadId?: string) => void;
  /** Where the number's extension is kept, if at all. */
  setExtension?: (extension: string) => void;
}

/** All edits of a number: typing, keys, paste and backspace, each keeping the caret at its digit. */
export function useNumberEditing(
  field: RefObject<HTMLInputElement | null>,
  { text: typed, setText, setExtension }: EditedNumber,
): NumberEditing {
  const { sounds } = usePhone();
  const caret = useRef<number | null>(null);
  const [hint, setHint] = useState("");
  const [typedIn, setTypedIn] = useState(false);

  useLayoutEffect(() => {
    if (caret.current === null) return;
    const input = field.current;
    if (input && document.activeElement === input) input.setSelectionRange(caret.current, caret.current);
    // Only once: later selections must survive a re-render.
    caret.current = null;
  });

  const show = (edited: NumberText, leadId?: string): void => {
    caret.current = edited.caret;
    setHint("");
    setTypedIn(false);
    setText(edited.text, leadId);
  };
  const selection = (): [number, number] => {
    const input = field.current;
    if (!input || document.activeElement !== input) return [typed.length, typed.length];
    return [input.selectionStart ?? typed.length, input.selectionEnd ?? typed.length];
  };

  return {
    text: typed,
    hint,
    typedIn,
    onChange(event) {
      const { selectionStart } = event.target;
      // An extension is typed after a number: its letters don't spell any of the number's digits.
      const isExtension = setExtension !== undefined && startsExtension.test(event.target.value);
      const value = isExtension ? event.target.value : lettersToDigits(event.target.value);
      if (hasLetters(value)) {
        caret.current = null;
        setHint("");
        setTypedIn(true);
        setText(value);
        return;
      }
      const inputType = "inputType" in event.nativeEvent ? String(event.nativeEvent.inputType) : "";
      if (dialableOf(value).length > dialableOf(typed).length) sounds.key();
      const edited = { text: value, caret: selectionStart ?? value.length };
      show(regroup(edited, formatAsTyped, deletedSeparator(typed, value, inputType)));
      setTypedIn(true);
    },
    onPaste(event) {
      event.preventDefault();
      const pasted = event.clipboardData?.getData("text") ?? "";
      const number = readPastedNumber(pasted);
      const { extension } = splitExtension(plainDigits(pasted));
      if (number !== "") setExtension?.(extension);
      if (number === "") setHint("No phone number found in the pasted text.");
      else if (number.startsWith("+")) show(insertInto("", [0, 0], number, formatAsTyped));
      else show(insertInto(typed, selection(), number, formatAsTyped));
    },
    insert: (characters) => show(insertInto(typed, selection(), characters, formatAsTyped)),
    backspace: () =>
      hasLetters(typed) ? setText(typed.slice(0, -1)) : show(removeFrom(typed, selection(), formatAsTyped)),
    set(text, leadId) {
      setExtension?.("");
      show(insertInto("", [0, 0], text, formatAsTyped), leadId);
    },
  };
}
