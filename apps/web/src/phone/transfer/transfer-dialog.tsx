import { isEmergencyNumber } from "@leadline/contract/emergency-numbers";
import { type FormEvent, useId, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { wordsFor } from "../call/start-failure.ts";
import { dialableOf, hasLetters } from "../numbers/dialable-characters.ts";
import { toE164 } from "../numbers/format-number.ts";
import { NumberField } from "../pad/number-field.tsx";
import { useContactSearch } from "../pad/use-contact-search.ts";
import { useNumberEditing } from "../pad/use-number-editing.ts";
import { usePhone, usePhoneState } from "../phone-provider.tsx";

/** Where to: a number, or a lead found by name. What is refused stays in the field, with the reason. */
export function TransferDialog() {
  const phone = usePhone();
  const { transferOpen } = usePhoneState();
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [to, setTo] = useState<{ text: string; leadId: string | undefined }>({ text: "", leadId: undefined });
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState({ of: "", words: "" });
  const editing = useNumberEditing(field, { text: to.text, setText: (text, leadId) => setTo({ text, leadId }) });
  const search = useContactSearch(to.text, { enabled: transferOpen, chosenId: to.leadId });
  const refuse = (words: string): void => setRefusal({ of: to.text, words });

  async function transfer(): Promise<void> {
    const contact = search.contacts[search.marked]?.contact;
    if (contact) return editing.set(contact.phoneNumber, contact.id);
    field.current?.focus();
    const typed = dialableOf(to.text);
    // The field says why.
    if (search.nobody || isEmergencyNumber(to.text)) return;
    if (hasLetters(to.text)) return refuse("Choose one of the leads, or enter a phone number.");
    if (typed === "") return refuse("Enter a phone number.");
    setAsking(true);
    try {
      await phone.transfer({ phoneNumber: toE164(typed), leadId: to.leadId });
    } catch (error) {
      refuse(wordsFor(error));
    }
    setAsking(false);
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!asking) void transfer();
  };

  return (
    <Dialog
      open={transferOpen}
      onOpenChange={phone.closeTransfer}
      title="Transfer call"
      description="They wait while that number is called. Once somebody takes it there, your call with them ends."
      footer={
        <>
          <Button tone="quiet" onClick={phone.closeTransfer}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={asking}>
            Transfer
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-3 pt-1">
        <NumberField field={field} editing={editing} matches={[]} search={search} leads="below" />
        {refusal.words !== "" && refusal.of === to.text ? <Notice>{refusal.words}</Notice> : null}
      </form>
    </Dialog>
  );
}
