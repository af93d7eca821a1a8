import { useRef } from "react";
import { dialableOf, hasLetters } from "../numbers/dialable-characters.ts";
import { toE164 } from "../numbers/format-number.ts";
import { splitExtension } from "../numbers/split-extension.ts";
import { isActive } from "../call/call-phase.ts";
import { AddControl, HoldControl, MuteControl, TransferControl } from "../in-call/call-controls.tsx";
import { CallEndedCard } from "../in-call/call-ended-card.tsx";
import { CallHeading } from "../in-call/call-heading.tsx";
import { CallTroubles } from "../in-call/call-troubles.tsx";
import { usePhone, usePhoneState } from "../phone-context.ts";
import { TransferNote } from "../in-call/transfer-note.tsx";
import { SecondLine } from "../second-line/second-line.tsx";
import { ExtensionNote } from "./extension-note.tsx";
import { Keypad } from "./keypad.tsx";
import { MicrophoneNotice } from "./microphone-notice.tsx";
import { NumberField } from "./number-field.tsx";
import { IdleRow, InCallRow } from "./pad-row.tsx";
import { SentKeysField } from "./sent-keys-field.tsx";
import { useContactSearch } from "./use-contact-search.ts";
import { useFocusAfterCall } from "./use-focus-after-call.ts";
import { useNumberEditing } from "./use-number-editing.ts";
import { usePadKeyboard } from "./use-pad-keyboard.ts";

interface DialPadProps {
  /** E.164 numbers called before, newest first: suggested while typing, and redialled from an empty pad. */
  recentNumbers: readonly string[];
}

export function DialPad({ recentNumbers }: DialPadProps) {
  const phone = usePhone();
  const state = usePhoneState();
  const field = useRef<HTMLInputElement>(null);
  const editing = useNumberEditing(field, {
    text: state.padText,
    setText: phone.setPadText,
    setExtension: phone.setExtension,
  });
  useFocusAfterCall(field, state.phase);
  const active = isActive(state.phase);
  const typed = dialableOf(editing.text);
  const search = useContactSearch(editing.text, { enabled: !active, chosenId: state.padLeadId });

  const press = (key: string): void => {
    if (active && key === "+") return;
    phone.sounds.key();
    if (active) phone.pressKey(key);
    else editing.insert(key);
  };
  /** An empty pad first recalls the last number, so that a second press dials it. */
  const callOrRecall = (): void => {
    if (active) return;
    const contact = search.contacts[search.marked]?.contact;
    const { number, extension } = splitExtension(editing.text);
    if (contact) editing.set(contact.phoneNumber, contact.id);
    else if (extension !== "") {
      editing.set(number);
      phone.setExtension(extension);
      void phone.start(toE164(dialableOf(number)));
    } else if (hasLetters(editing.text)) field.current?.focus();
    else if (typed !== "") void phone.start(toE164(typed), state.padLeadId);
    else if (recentNumbers[0]) editing.set(recentNumbers[0]);
    else field.current?.focus();
  };

  usePadKeyboard(field, {
    press,
    enter: callOrRecall,
    backspace: () => {
      if (!active) editing.backspace();
    },
    escape: () => {
      if (active) phone.show("active-call");
      else if (search.contacts.length > 0) search.close();
      else if (state.phase === "ended") phone.dismiss();
      else editing.set("");
    },
    paste: (event) => {
      if (!active) editing.onPaste(event);
    },
  });

  return (
    <div className="flex flex-col gap-3">
      {active ? (
        <>
          <CallHeading />
          <SecondLine folds />
          <div className="grid auto-cols-fr grid-flow-col gap-2">
            <MuteControl compact />
            <HoldControl compact />
            <TransferControl compact />
            <AddControl compact />
          </div>
          <SentKeysField keys={state.keysSent} field={field} />
          <ExtensionNote />
        </>
      ) : (
        <>
          <NumberField field={field} editing={editing} matches={matching(recentNumbers, typed)} search={search} />
          <ExtensionNote />
        </>
      )}
      <Keypad onKey={press} plusOnZero={!active} compact={active} />
      {active ? (
        <>
          <InCallRow onHide={() => phone.show("active-call")} />
          <TransferNote />
          <CallTroubles />
        </>
      ) : (
        <>
          <IdleRow onPlus={() => press("+")} onCall={callOrRecall} onBackspace={editing.backspace} />
          {/* Below the keys, which then stay in place when it comes and goes. */}
          <CallEndedCard />
          <MicrophoneNotice />
        </>
      )}
    </div>
  );
}

/** Recent numbers that contain the typed digits and aren't already typed in full. */
function matching(recentNumbers: readonly string[], typed: string): string[] {
  const digits = typed.replace(/\D/g, "");
  if (digits.length < 2) return [];
  return recentNumbers.filter((recent) => recent.includes(digits) && recent !== toE164(typed));
}
