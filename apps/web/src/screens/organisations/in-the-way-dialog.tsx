import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { formatMicros } from "../../components/format-money.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { InTheWay } from "./use-in-the-way.ts";

interface InTheWayDialogProps {
  name: string;
  inTheWay: readonly InTheWay[];
  onClose: () => void;
}

/** Shown instead of a deletion that would be refused: what prevents it, each with a link. */
export function InTheWayDialog({ name, inTheWay, onClose }: InTheWayDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${name} can’t be deleted yet`}
      footer={
        <Button tone="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul className={clsx("flex flex-col gap-2 text-sm text-pretty", inTheWay.length > 1 && "list-disc pl-5")}>
        {inTheWay.map((one) => (
          <li key={one.is}>{inWords(one, onClose)}</li>
        ))}
      </ul>
    </Dialog>
  );
}

function inWords(one: InTheWay, onClose: () => void): ReactNode {
  const link = (to: "/settings/members" | "/settings/phone-numbers", label: string) => (
    <Link to={to} onClick={onClose} className={clsx(textLinkLook, "whitespace-nowrap")}>
      {label}
    </Link>
  );
  switch (one.is) {
    case "owners":
      return (
        <>
          It has other owners, and only a sole owner can delete it. Make them admins or members under{" "}
          {link("/settings/members", "Members")} first, or leave the organisation.
        </>
      );
    case "numbers":
      return (
        <>
          It still has {one.count === 1 ? "a phone number" : `${one.count} phone numbers`}. Release{" "}
          {one.count === 1 ? "it" : "them"} under {link("/settings/phone-numbers", "Phone numbers")} first.
        </>
      );
    case "balance":
      return one.micros > 0
        ? `${formatMicros(one.micros)} remains on its balance and would be lost. Use it, or ask the administrator of this server to pay it out first.`
        : `${formatMicros(-one.micros)} is still owed on its balance. Settle it first.`;
  }
}
