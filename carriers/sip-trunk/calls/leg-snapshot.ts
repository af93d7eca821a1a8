import {
  type DialogState,
  type InviteClientTransaction,
  SessionDialog,
  type UserAgentCore,
} from "sip.js/lib/core/index.js";
import { z } from "zod";

import { readUri, type VerbatimUri } from "../signalling/verbatim-uri.ts";
import { protocols, mediaEncryptions } from "./choose-line.ts";

const Dialog = z.object({
  callId: z.string(),
  localTag: z.string(),
  remoteTag: z.string(),
  localSequenceNumber: z.int(),
  /** Null: the far end has sent no request yet. */
  remoteSequenceNumber: z.int().nullable(),
  localUri: z.string(),
  remoteUri: z.string(),
  remoteTarget: z.string(),
  routeSet: z.array(z.string()),
});

/** RFC 3261, section 12: the dialog's state, and where it was last reached. */
export const LegSnapshot = z.object({
  dialog: Dialog,
  local: z.object({
    offered: z.string(),
    version: z.int(),
    held: z.boolean(),
    sealing: z.enum(mediaEncryptions),
    told: z.object({ protocol: z.enum(protocols), keyed: z.boolean() }),
  }),
  /** The far end's latest description. */
  theirs: z.string(),
  /** The methods in its Allow header, among those that matter to us. */
  allowed: z.array(z.string()),
  knowsReplaces: z.boolean(),
  target: z.object({
    protocol: z.enum(["UDP", "TCP", "TLS"]),
    address: z.string(),
    port: z.int(),
    serverName: z.string(),
  }),
});
export type LegSnapshot = z.infer<typeof LegSnapshot>;

export const snapshotDialog = (dialog: SessionDialog): LegSnapshot["dialog"] => ({
  callId: dialog.callId,
  localTag: dialog.localTag,
  remoteTag: dialog.remoteTag,
  localSequenceNumber: dialog.localSequenceNumber ?? 0,
  remoteSequenceNumber: dialog.remoteSequenceNumber ?? null,
  localUri: dialog.localURI.toRaw(),
  remoteUri: dialog.remoteURI.toRaw(),
  remoteTarget: dialog.remoteTarget.toRaw(),
  routeSet: dialog.routeSet,
});

/** More requests than are sent between two snapshots: CSeq must grow, and may skip values (section 12.2.1.1). */
const unwritten = 100;

/** Registers the dialog with the core. */
export function resumeDialog(core: UserAgentCore, snapshot: LegSnapshot["dialog"]): SessionDialog {
  const { callId, localTag, remoteTag, routeSet } = snapshot;
  const [localURI, remoteURI] = [uriOf(snapshot.localUri), uriOf(snapshot.remoteUri)];
  const state: DialogState = {
    id: callId + localTag + remoteTag,
    early: false,
    callId,
    localTag,
    remoteTag,
    localSequenceNumber: snapshot.localSequenceNumber + unwritten,
    remoteSequenceNumber: snapshot.remoteSequenceNumber ?? undefined,
    localURI,
    remoteURI,
    remoteTarget: uriOf(snapshot.remoteTarget),
    routeSet,
    secure: false,
  };
  const invite = core.makeOutgoingRequestMessage("INVITE", remoteURI, localURI, remoteURI, { callId });
  return new SessionDialog(asTransaction({ request: invite }), core, state);
}

/** The library only reads the request from the transaction that created a confirmed dialog. */
const asTransaction = (begun: Pick<InviteClientTransaction, "request">): InviteClientTransaction =>
  begun as InviteClientTransaction;

function uriOf(text: string): VerbatimUri {
  const uri = readUri(text);
  if (!uri) throw new Error("The dialog's snapshot names no URI.");
  return uri;
}
