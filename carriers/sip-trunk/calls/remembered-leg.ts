import {
  type DialogState,
  type InviteClientTransaction,
  SessionDialog,
  type UserAgentCore,
} from "sip.js/lib/core/index.js";
import { Grammar, type URI } from "sip.js/lib/grammar/index.js";
import { z } from "zod";

import { protocols, sealings } from "./choose-line.ts";

const Dialog = z.object({
  callId: z.string(),
  localTag: z.string(),
  remoteTag: z.string(),
  localSequenceNumber: z.int(),
  /** Null: the far end has asked for nothing yet. */
  remoteSequenceNumber: z.int().nullable(),
  localUri: z.string(),
  remoteUri: z.string(),
  remoteTarget: z.string(),
  routeSet: z.array(z.string()),
});

/** RFC 3261, section 12: what a dialog is, and where it last was reached. */
export const RememberedLeg = z.object({
  dialog: Dialog,
  local: z.object({
    offered: z.string(),
    version: z.int(),
    held: z.boolean(),
    sealing: z.enum(sealings),
    told: z.object({ protocol: z.enum(protocols), keyed: z.boolean() }),
  }),
  /** What the far end last said of its side. */
  theirs: z.string(),
  /** Methods that it has said it knows, of those that are asked for. */
  allowed: z.array(z.string()),
  knowsReplaces: z.boolean(),
  target: z.object({
    protocol: z.enum(["UDP", "TCP", "TLS"]),
    address: z.string(),
    port: z.int(),
    serverName: z.string(),
  }),
});
export type RememberedLeg = z.infer<typeof RememberedLeg>;

export const rememberDialog = (dialog: SessionDialog): RememberedLeg["dialog"] => ({
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

/** More requests than are sent between two times of writing it down: they grow, and may leave some out (section 12.2.1.1). */
const unwritten = 100;

/** The dialog, known to the core from then on. */
export function resumeDialog(core: UserAgentCore, remembered: RememberedLeg["dialog"]): SessionDialog {
  const { callId, localTag, remoteTag, routeSet } = remembered;
  const [localURI, remoteURI] = [readUri(remembered.localUri), readUri(remembered.remoteUri)];
  const state: DialogState = {
    id: callId + localTag + remoteTag,
    early: false,
    callId,
    localTag,
    remoteTag,
    localSequenceNumber: remembered.localSequenceNumber + unwritten,
    remoteSequenceNumber: remembered.remoteSequenceNumber ?? undefined,
    localURI,
    remoteURI,
    remoteTarget: readUri(remembered.remoteTarget),
    routeSet,
    secure: false,
  };
  const invite = core.makeOutgoingRequestMessage("INVITE", remoteURI, localURI, remoteURI, { callId });
  return new SessionDialog(asTransaction({ request: invite }), core, state);
}

/** Of the transaction that began a confirmed dialog, the library reads the request alone. */
const asTransaction = (begun: Pick<InviteClientTransaction, "request">): InviteClientTransaction =>
  begun as InviteClientTransaction;

function readUri(text: string): URI {
  const uri = Grammar.URIParse(text);
  if (!uri) throw new Error("A remembered dialog names no URI.");
  return uri;
}
