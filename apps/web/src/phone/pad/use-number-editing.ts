import { type ChangeEvent, type ClipboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { dialableOf, hasLetters } from "../numbers/dialable-characters.ts";
import { deletedSeparator, insertInto, type NumberText, regroup, removeFrom } from "../numbers/edit-number.ts";
import { formatAsTyped } from "../numbers/format-number.ts";
import { lettersToDigits } from "../numbers/letters-to-digits.ts";
import { readPastedNumber } from "../numbers/read-pasted-number.ts";
import { usePhone, usePhoneState } from "../phone-provider.tsx";

export interface NumberEditing {
  text: string;
  /** The last change was typed into the field, not pressed on the pad or pasted. */
  typedIn: boolean;
  /** What a paste held no number in; empty otherwise. */
  hint: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  onPaste: (event: ClipboardEvent<HTMLInputElement> | globalThis.ClipboardEvent) => void;
  insert: (characters: string) => void;
  backspace: () => void;
  /** The number of a lead, where one was chosen. */
  set: (text: string, leadId?: string) => void;
}

/** Every way into the pad's number: typing, keys, paste and backspace, each keeping the caret at its digit. */
export function useNumberEditing(field: RefObject<HTMLInputElement | null>): NumberEditing {
  const phone = usePhone();
  const { padText } = usePhoneState();
  const caret = useRef<number | null>(null);
  const [hint, setHint] = useState("");
  const [typedIn, setTypedIn] = useState(false);

  useLayoutEffect(() => {
    if (caret.current === null) return;
    const input = field.current;
    if (input && document.activeElement === input) input.setSelectionRange(caret.current, caret.current);
  });

  const show = (edited: NumberText, leadId?: string): void => {
    caret.current = edited.caret;
    setHint("");
    setTypedIn(false);
    phone.setPadText(edited.text, leadId);
  };
  const selection = (): [number, number] => {
    const input = field.current;
    if (!input || document.activeElement !== input) return [padText.length, padText.length];
    return [input.selectionStart ?? padText.length, input.selectionEnd ?? padText.length];
  };

  return {
    text: padText,
    hint,
    typedIn,
    onChange(event) {
      const { selectionStart } = event.target;
      const value = lettersToDigits(event.target.value);
      if (hasLetters(value)) {
        caret.current = null;
        setHint("");
        setTypedIn(true);
        phone.setPadText(value);
        return;
      }
      const inputType = "inputType" in event.nativeEvent ? String(event.nativeEvent.inputType) : "";
      if (dialableOf(value).length > dialableOf(padText).length) phone.sounds.key();
      const edited = { text: value, caret: selectionStart ?? value.length };
      show(regroup(edited, formatAsTyped, deletedSeparator(padText, value, inputType)));
      setTypedIn(true);
    },
    onPaste(event) {
      event.preventDefault();
      const pasted = event.clipboardData?.getData("text") ?? "";
      const number = readPastedNumber(pasted);
      if (number === "") setHint("There is no phone number in what you pasted.");
      else if (number.startsWith("+")) show(insertInto("", [0, 0], number, formatAsTyped));
      else show(insertInto(padText, selection(), number, formatAsTyped));
    },
    insert: (characters) => show(insertInto(padText, selection(), characters, formatAsTyped)),
    backspace: () =>
      hasLetters(padText)
        ? phone.setPadText(padText.slice(0, -1))
        : show(removeFrom(padText, selection(), formatAsTyped)),
    set: (text, leadId) => show(insertInto("", [0, 0], text, formatAsTyped), leadId),
  };
}
