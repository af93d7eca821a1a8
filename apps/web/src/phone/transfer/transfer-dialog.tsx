import { isEmergencyNumber } from "@leadline/contract/emergency-numbers";
import { type FormEvent, type MouseEvent, useId, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useWide } from "../../components/use-wide.ts";
import type { Callee, Colleague } from "../../data/call-requests.ts";
import { messageFor } from "../call/start-failure.ts";
import { CallFoot } from "../in-call/call-foot.tsx";
import { dialableOf, hasLetters } from "../numbers/dialable-characters.ts";
import { toE164 } from "../numbers/format-number.ts";
import { splitExtension } from "../numbers/split-extension.ts";
import { NumberField } from "../pad/number-field.tsx";
import { useContactSearch } from "../pad/use-contact-search.ts";
import { useNumberEditing } from "../pad/use-number-editing.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";
import { TeammateList } from "./teammate-list.tsx";
import { useMatchingTeammates } from "./use-matching-teammates.ts";

/**
 * Without this, the field's suggestions would close with its focus, and move the button from under the pointer before
 * the click.
 */
const keepFocus = (event: MouseEvent): void => event.preventDefault();

type Way = "at-once" | "talk-first";

const descriptions = {
  add: "They’re on hold while you call. Once the call is answered, merge the calls.",
  transfer:
    "Transfer sends them straight away, and your call ends when the other person answers. Talk first lets you speak to the other person before you connect them.",
  talkFirst: "They’re on hold while you speak to the other person. Then you connect the two of them.",
  atOnce: "They wait while that number rings. Your call ends when it’s answered.",
};

function descriptionOf(dialog: { isAdding: boolean; submits: Way; canTalkFirst: boolean }): string {
  if (dialog.isAdding) return descriptions.add;
  if (dialog.submits === "talk-first") return descriptions.talkFirst;
  return dialog.canTalkFirst ? descriptions.transfer : descriptions.atOnce;
}

function TalkFirstButton({ asking, onClick }: { asking: Way | null; onClick: () => void }) {
  return (
    <Button
      tone="plain"
      disabled={asking !== null}
      busy={asking === "talk-first"}
      onMouseDown={keepFocus}
      onClick={onClick}
    >
      Talk first
    </Button>
  );
}

/** Nothing sends it: the far end of a transfer is not this page’s, and a second line has no pad yet. */
function Unsent(props: { extension: string; submits: Way; canTalkFirst: boolean }) {
  const { extension, submits, canTalkFirst } = props;
  if (extension === "") return null;
  const next = canTalkFirst
    ? " Choose Talk first, and enter it on the keypad once they answer."
    : submits === "talk-first"
      ? " Enter it on the keypad once they answer."
      : "";
  return <p role="status" className="px-1 text-table text-ink-soft">{`Extension ${extension} isn’t sent.${next}`}</p>;
}

/**
 * Where to transfer: a number, a lead found by name, or a teammate. A refused entry stays in the field, with the
 * reason.
 */
export function TransferDialog() {
  const phone = usePhone();
  const { transferOpen, call } = usePhoneState();
  // Keeps its title while it closes.
  const [shown, setShown] = useState(transferOpen);
  if (transferOpen !== null && transferOpen !== shown) setShown(transferOpen);
  const isAdding = shown === "add";
  const submits: Way = isAdding || !call?.canTransfer ? "talk-first" : "at-once";
  const canTalkFirst = submits === "at-once" && call?.canHold === true;
  const wide = useWide();
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [to, setTo] = useState<{ text: string; leadId: string | undefined }>({ text: "", leadId: undefined });
  /** A teammate, instead of the typed text. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [asking, setAsking] = useState<Way | null>(null);
  const [refusal, setRefusal] = useState({ of: "", words: "" });
  function write(text: string, leadId?: string): void {
    setTo({ text, leadId });
    setChosen(null);
  }
  /** Of the pasted or typed number: nothing sends it, so the rep is told. */
  const [extension, setExtension] = useState("");
  const editing = useNumberEditing(field, { text: to.text, setText: write, setExtension });
  const enabled = transferOpen !== null;
  const found = useContactSearch(to.text, { enabled, chosenId: to.leadId });
  const teammates = useMatchingTeammates(to.text, { enabled });
  const search = { ...found, nobody: found.nobody && teammates.shown.length === 0 };
  const refuse = (words: string): void => setRefusal({ of: to.text, words });

  async function send(way: Way): Promise<void> {
    if (chosen !== null) return ask(way, { userId: chosen });
    const split = splitExtension(to.text);
    if (split.extension !== "") {
      editing.set(split.number);
      setExtension(split.extension);
      return field.current?.focus();
    }
    const contact = search.contacts[search.marked]?.contact;
    if (contact) return editing.set(contact.phoneNumber, contact.id);
    field.current?.focus();
    const typed = dialableOf(to.text);
    // The field shows the reason.
    if (search.nobody || isEmergencyNumber(to.text)) return;
    if (hasLetters(to.text)) return refuse("Choose a lead or a teammate, or enter a phone number.");
    if (typed === "") return refuse("Enter a phone number.");
    await ask(way, { phoneNumber: toE164(typed), leadId: to.leadId });
  }
  async function ask(way: Way, callee: Callee | Colleague): Promise<void> {
    setAsking(way);
    try {
      await (way === "at-once" ? phone.transfer(callee) : phone.consult(callee));
      setChosen(null);
    } catch (error) {
      refuse(messageFor(error));
    }
    setAsking(null);
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (asking === null) void send(submits);
  };

  const buttons = (
    <>
      <Button tone="quiet" onClick={phone.closeTransfer}>
        Cancel
      </Button>
      {canTalkFirst ? <TalkFirstButton asking={asking} onClick={() => void send("talk-first")} /> : null}
      <Button type="submit" form={formId} disabled={asking !== null} busy={asking === submits} onMouseDown={keepFocus}>
        {isAdding ? "Call" : submits === "at-once" ? "Transfer" : "Talk first"}
      </Button>
    </>
  );
  const told = {
    open: transferOpen !== null,
    onOpenChange: phone.closeTransfer,
    title: isAdding ? "Add someone to the call" : "Transfer call",
    description: `${descriptionOf({ isAdding, submits, canTalkFirst })} Both calls are charged until they hang up.`,
  };
  const form = (
    <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-3 pt-1">
      <NumberField field={field} editing={editing} matches={[]} search={search} leads="below" />
      {to.text !== "" && chosen === null ? <Unsent {...{ extension, submits, canTalkFirst }} /> : null}
      <TeammateList teammates={teammates} chosen={chosen} disabled={asking !== null} onChoose={setChosen} />
      {refusal.words !== "" && refusal.of === to.text ? <Notice>{refusal.words}</Notice> : null}
    </form>
  );
  if (wide)
    return (
      <Dialog {...told} footer={buttons}>
        {form}
      </Dialog>
    );
  // It covers the phone's own button for hanging up.
  return (
    <Sheet
      {...told}
      side="bottom"
      className="px-4 pb-4"
      firstField={field}
      footer={
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap justify-end gap-2">{buttons}</div>
          <CallFoot />
        </div>
      }
    >
      {form}
    </Sheet>
  );
}
