import {
  Dialog,
  type IncomingRequestMessage,
  type IncomingResponseMessage,
  type IncomingInviteRequest,
  LoggerFactory,
  NonInviteServerTransaction,
  type OutgoingResponse,
  Parser,
  SessionDialog,
  UserAgentCore,
  UserAgentServer,
} from "sip.js/lib/core/index.js";
import { URI } from "sip.js/lib/grammar/index.js";

import { peekBranch, peekHeader, peekMethod, peekStatus, peekTag, splitMessage } from "../transport/sip-text.ts";
import { markReplyPath, ourAddress, type Source, withoutReplyPath } from "../transport/via.ts";
import { type Credentials, keepBestChallenge, TrunkDigest } from "./digest.ts";
import { keepTransactionsForUdp } from "./timers.ts";
import { supportedExtensions, whyNotUnderstood } from "./why-not-understood.ts";

export const allowedMethods = "INVITE, ACK, CANCEL, BYE, PRACK, UPDATE, INFO, OPTIONS, NOTIFY";

export interface TrunkCoreOptions {
  /** Of our address of record and our Contact. */
  user: string;
  domain: string;
  credentials: Credentials | null;
  /** once: nobody remembers having sent it, so nobody sends it again. */
  send: (text: string, how: { once: boolean }) => Promise<void>;
  /** calledUser: whom the request's URI named, the number that was dialled. */
  onInvite: (request: IncomingInviteRequest, called: { user: string }) => void;
  /** An UPDATE (RFC 3311) in a dialog of ours; the library knows none. */
  onUpdate: (dialog: SessionDialog, request: UserAgentServer) => void;
}

/** SIP.js's core with what it leaves to others: RFC 3261's section 18, UPDATE, requests to any of our numbers. */
export class TrunkCore extends UserAgentCore {
  readonly #options: TrunkCoreOptions;
  readonly #how: { once: boolean };
  readonly #called: WeakMap<IncomingRequestMessage, string>;
  /**
   * Who hears the NOTIFYs of a dialog whose call is over, by the dialog's id: what a REFER began goes on (RFC 5057,
   * section 4.1), and the library then knows nothing of it.
   */
  readonly afterCalls = new Map<string, (notify: IncomingRequestMessage) => void>();

  constructor(options: TrunkCoreOptions) {
    keepTransactionsForUdp();
    const loggerFactory = new LoggerFactory();
    loggerFactory.builtinEnabled = false;
    const contactUri = new URI("sip", options.user, ourAddress, undefined);
    const contact = { pubGruu: undefined, tempGruu: undefined, uri: contactUri, toString: () => `<${contactUri}>` };
    const how = { once: false };
    const transport = { protocol: "UDP", send: (text: string) => options.send(text, { ...how }) };
    const called = new WeakMap<IncomingRequestMessage, string>();
    super(
      {
        aor: new URI("sip", options.user, options.domain, undefined),
        contact,
        displayName: "",
        loggerFactory,
        hackViaTcp: false,
        routeSet: [],
        sipjsId: "",
        supportedOptionTags: [...supportedExtensions],
        supportedOptionTagsResponse: [...supportedExtensions],
        userAgentHeaderFieldValue: "Leadline",
        viaForceRport: true,
        viaHost: ourAddress,
        authenticationFactory: () =>
          options.credentials ? new TrunkDigest(loggerFactory, options.credentials) : undefined,
        transportAccessor: () => transport,
      },
      {
        onInvite: (request) => options.onInvite(request, { user: called.get(request.message) ?? "" }),
        // The library would take what we cannot show to anybody.
        onMessage: (request) => void request.reject({ statusCode: 405, extraHeaders: [`Allow: ${allowedMethods}`] }),
      },
    );
    this.#options = options;
    this.#called = called;
    this.#how = how;
  }

  override replyStateless(...reply: Parameters<UserAgentCore["replyStateless"]>): OutgoingResponse {
    this.#how.once = true;
    try {
      return super.replyStateless(...reply);
    } finally {
      this.#how.once = false;
    }
  }

  /** Whether it belongs to a transaction or a dialog of ours. An INVITE that comes again is counted as the first was. */
  expects(head: string): boolean {
    const [branch, method, toTag] = [peekBranch(head), peekMethod(head), peekTag(head, "to")];
    if (peekStatus(head) !== null) return this.userAgentClients.has(`${branch}${method}`);
    const dialogId = `${peekHeader(head, "callId")}${toTag}${peekTag(head, "from")}`;
    if (toTag !== null && (this.dialogs.has(dialogId) || this.afterCalls.has(dialogId))) return true;
    return (
      (method === "ACK" || method === "CANCEL") && this.userAgentServers.has(serverKey(branch, peekHeader(head, "via")))
    );
  }

  /** Returns why the message is ignored, null where it isn't. */
  receive(text: string, source: Source): string | null {
    const isResponse = peekStatus(splitMessage(text).head) !== null;
    const message = Parser.parseMessage(
      isResponse ? keepBestChallenge(text) : withoutReplyPath(text),
      this.loggerFactory.getLogger("sip.parser"),
    );
    if (!message) return "It can't be read as a SIP message.";
    if (!isWhole(message)) return "A header that every SIP message needs is missing or can't be read.";
    if ("statusCode" in message) this.#receiveResponse(message);
    else this.#receiveRequest(message, source);
    return null;
  }

  #receiveResponse(message: IncomingResponseMessage): void {
    const status = message.statusCode ?? 0;
    // Gateways leave the Contact out of what makes a dialog, and the library then drops it; the request's own target serves.
    const needsContact = message.method === "INVITE" && status > 100 && status < 300;
    if (needsContact && message.parseHeader("contact") === undefined) {
      const client = this.userAgentClients.get(message.viaBranch + message.method);
      if (client) message.addHeader("contact", `<${client.transaction.request.ruri.toRaw()}>`);
    }
    this.receiveIncomingResponseFromTransport(message);
    this.#countChallenge(message, status);
  }

  /** A request repeated with credentials takes the next number of its dialog; the library counts that for INVITE alone. */
  #countChallenge(message: IncomingResponseMessage, status: number): void {
    if ((status !== 401 && status !== 407) || message.method === "INVITE") return;
    const dialog = this.dialogs.get(message.callId + message.fromTag + message.toTag);
    if (dialog && dialog.localSequenceNumber === message.cseq) dialog.incrementLocalSequenceNumber();
  }

  #receiveRequest(message: IncomingRequestMessage, source: Source): void {
    const via = message.headers["Via"]?.[0];
    if (!via || !message.ruri) return;
    via.raw = markReplyPath(via.raw, source);
    // Two clients may choose the same branch (RFC 3261, section 17.2.3); the library tells them apart by nothing else.
    message.viaBranch = serverKey(message.viaBranch, peekHeader(`Via: ${via.raw}`, "via"));
    const refusal = message.method === "ACK" ? null : whyNotUnderstood(message);
    if (refusal) return void this.replyStateless(message, refusal);
    this.#called.set(message, message.ruri.user ?? "");
    // The library takes requests to one user only; a trunk's go to whichever number was dialled.
    // A sips URI that came by TLS came as it asks for (section 26.2.2).
    if (message.ruri.scheme === "sips" && source.protocol === "TLS") message.ruri.scheme = "sip";
    if (message.ruri.scheme === "sip") message.ruri.user = this.#options.user;
    const dialogId = message.callId + message.toTag + message.fromTag;
    const hear = message.method === "NOTIFY" && !this.dialogs.has(dialogId) && this.afterCalls.get(dialogId);
    if (hear) {
      this.replyStateless(message, { statusCode: 200 });
      hear(message);
    } else if (message.method === "UPDATE" && message.toTag) this.#receiveUpdate(message);
    else this.receiveIncomingRequestFromTransport(message);
  }

  #receiveUpdate(message: IncomingRequestMessage): void {
    const earlier = this.userAgentServers.get(message.viaBranch);
    if (earlier) return earlier.transaction.receiveRequest(message);
    const dialog = this.dialogs.get(message.callId + message.toTag + message.fromTag);
    if (!(dialog instanceof SessionDialog)) return void this.replyStateless(message, { statusCode: 481 });
    if (dialog.remoteSequenceNumber && message.cseq <= dialog.remoteSequenceNumber)
      return void this.replyStateless(message, { statusCode: 500 });
    // The base class keeps the sequence numbers; the session's own method would answer 501.
    Dialog.prototype.receiveRequest.call(dialog, message);
    this.#options.onUpdate(dialog, new UserAgentServer(NonInviteServerTransaction, this, message));
  }
}

const serverKey = (branch: string | null, via: string | null): string =>
  `${branch} ${/^SIP\s*\/\s*2\.0\s*\/\s*\w+\s+([^;,\s]+)/i.exec(via ?? "")?.[1]?.toLowerCase()}`;

/** What the library takes for granted of a message that it could parse. */
function isWhole(message: IncomingRequestMessage | IncomingResponseMessage): boolean {
  const { viaBranch, method, callId, cseq, from, to, fromTag } = message;
  return [viaBranch, method, callId, from, to, fromTag].every(Boolean) && Number.isInteger(cseq);
}
