import {
  Dialog,
  type IncomingInviteRequest,
  type IncomingRequestMessage,
  IncomingResponseMessage,
  LoggerFactory,
  NonInviteServerTransaction,
  type OutgoingRequestMessage,
  type OutgoingResponse,
  SessionDialog,
  TransactionState,
  UserAgentCore,
  UserAgentServer,
} from "sip.js/lib/core/index.js";
import { AllowedMethods } from "sip.js/lib/core/user-agent-core/allowed-methods.js";
import { NameAddrHeader, URI } from "sip.js/lib/grammar/index.js";

import { noTag, peekBranch, peekHeader, peekMethod, peekStatus, peekTag, splitMessage } from "../transport/sip-text.ts";
import { t1Ms } from "../transport/retransmissions.ts";
import { tidyMessage } from "../transport/tidy-message.ts";
import { markReplyPath, ourAddress, type Source, withoutReplyPath } from "../transport/via.ts";
import { answerChallenge, credentialLines } from "./answer-challenge.ts";
import type { Credentials } from "./digest.ts";
import { stateOf, takeTimeout } from "./library-internals.ts";
import { replyOutsideDialogs } from "./outside-dialogs.ts";
import { readMessage, setContact } from "./read-message.ts";
import { type RequestParts, strictlyRouted } from "./strict-route.ts";
import { keepTransactionsForUdp } from "./timers.ts";
import { type Refusal, supportedExtensions, whyNotUnderstood } from "./why-not-understood.ts";

const ourMethods = ["INVITE", "ACK", "CANCEL", "BYE", "PRACK", "UPDATE", "INFO", "OPTIONS", "NOTIFY"];
export const allowedMethods = ourMethods.join(", ");

export interface TrunkCoreOptions {
  /** The user of our address of record and our Contact. */
  user: string;
  domain: string;
  credentials: Credentials | null;
  /** once: no transaction retransmits it. */
  send: (text: string, how: { once: boolean }) => Promise<void>;
  /** calledUser: the user in the request URI, which is the dialled number. */
  onInvite: (request: IncomingInviteRequest, called: { user: string }) => void;
  /** An UPDATE (RFC 3311) in one of our dialogs; the library doesn't support it. */
  onUpdate: (dialog: SessionDialog, request: UserAgentServer) => void;
}

/** SIP.js's core plus what it leaves to others: RFC 3261's section 18, UPDATE, and requests to any of our numbers. */
export class TrunkCore extends UserAgentCore {
  readonly #options: TrunkCoreOptions;
  readonly #how: { once: boolean };
  readonly #called: WeakMap<IncomingRequestMessage, string>;
  /** The library's log messages since the last read, which mostly say why it dropped something. */
  readonly #remarks: string[];
  /** By the INVITE's branch: the library forgets the ACKs of an INVITE that it has resent with credentials. */
  readonly #refusalAcks = new Map<string, string>();
  /** INVITEs that were refused without a transaction, to recognise their ACKs. */
  readonly #refused = new Set<string>();
  /**
   * Handlers of NOTIFYs for ended calls, by dialog id: a REFER's subscription outlives the call (RFC 5057, section
   * 4.1), but the library no longer knows it.
   */
  readonly afterCalls = new Map<string, (notify: IncomingRequestMessage) => void>();

  constructor(options: TrunkCoreOptions) {
    keepTransactionsForUdp();
    // The methods that the library allows and advertises; it doesn't know UPDATE.
    AllowedMethods.splice(0, AllowedMethods.length, ...ourMethods);
    const loggerFactory = new LoggerFactory();
    loggerFactory.builtinEnabled = false;
    const remarks: string[] = [];
    loggerFactory.connector = (level, _category, _label, content) => {
      if (level === "warn" || level === "error") remarks.push(String(content));
    };
    const contactUri = new URI("sip", options.user, ourAddress, undefined);
    const contact = { pubGruu: undefined, tempGruu: undefined, uri: contactUri, toString: () => `<${contactUri}>` };
    const how = { once: false };
    const transport = { protocol: "UDP", send: (text: string) => options.send(this.#complete(text), { ...how }) };
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
        // Each challenge arrives with its answer: see answerChallenge.
        authenticationFactory: () => undefined,
        transportAccessor: () => transport,
      },
      { onInvite: (request) => options.onInvite(request, { user: called.get(request.message) ?? "" }) },
    );
    this.#options = options;
    this.#called = called;
    this.#how = how;
    this.#remarks = remarks;
  }

  /** Our Contact, as a complete header line. */
  get contactHeader(): string {
    return `Contact: ${this.configuration.contact.toString()}`;
  }

  override makeOutgoingRequestMessage(...given: RequestParts): OutgoingRequestMessage {
    return super.makeOutgoingRequestMessage(...strictlyRouted(given));
  }

  /** Adds what the library leaves out of its requests (an ACK's credentials), and removes what is internal. */
  #complete(text: string): string {
    const { head, body } = splitMessage(text);
    const clean = head.replaceAll(`;tag=${noTag}`, "");
    if (!head.startsWith("ACK ")) return clean + body;
    const branch = peekBranch(head);
    const refused = this.userAgentClients.get(`${branch}INVITE`);
    const sequence = parseInt(peekHeader(head, "cseq") ?? "", 10);
    const invite = refused ?? this.#inviteOf(peekHeader(head, "callId"), sequence);
    const whole = [clean, ...(invite ? credentialLines(invite.message) : [])].join("\r\n") + body;
    if (refused && !this.#refusalAcks.has(branch)) {
      this.#refusalAcks.set(branch, whole);
      setTimeout(() => this.#refusalAcks.delete(branch), 64 * t1Ms).unref();
    }
    return whole;
  }

  #inviteOf(callId: string | null, sequence: number) {
    return [...this.userAgentClients.values()].find(
      ({ message }) => message.method === "INVITE" && message.callId === callId && message.cseq === sequence,
    );
  }

  override replyStateless(...reply: Parameters<UserAgentCore["replyStateless"]>): OutgoingResponse {
    const [{ method, viaBranch }] = reply;
    if (method === "INVITE") {
      this.#refused.add(viaBranch);
      setTimeout(() => this.#refused.delete(viaBranch), 64 * t1Ms).unref();
    }
    this.#how.once = true;
    try {
      return super.replyStateless(...reply);
    } finally {
      this.#how.once = false;
    }
  }

  /** Whether it belongs to one of our transactions or dialogs. A retransmitted INVITE counts like the first one. */
  expects(head: string): boolean {
    const [branch, method, toTag] = [peekBranch(head), peekMethod(head), peekTag(head, "to")];
    if (peekStatus(head) !== null) return this.userAgentClients.has(`${branch}${method}`);
    const dialogId = `${peekHeader(head, "callId")}${toTag}${peekTag(head, "from") ?? noTag}`;
    if (toTag !== null && (this.dialogs.has(dialogId) || this.afterCalls.has(dialogId))) return true;
    return (
      (method === "ACK" || method === "CANCEL") && this.userAgentServers.has(serverKey(branch, peekHeader(head, "via")))
    );
  }

  /** Handles everything a peer sends; nothing may throw beyond this. Returns why it was dropped, or null. */
  receive(text: string, source: Source): string | null {
    this.#remarks.length = 0;
    const { message, ...read } = readMessage(withoutReplyPath(tidyMessage(text)));
    if (!message) return "why" in read ? read.why : null;
    const problem = "problem" in read ? read.problem : null;
    if (message instanceof IncomingResponseMessage) {
      if (problem) return problem.reasonPhrase;
      this.#receiveResponse(message);
    } else {
      this.#receiveRequest(message, source, problem);
      const isStray = !this.expects(text) && !this.#refused.has(message.viaBranch);
      if (message.method === "ACK" && (problem || isStray))
        return problem?.reasonPhrase ?? "It doesn’t acknowledge any call.";
    }
    return this.#remarks.length > 0 ? this.#remarks.join(" ") : null;
  }

  #receiveResponse(message: IncomingResponseMessage): void {
    const status = message.statusCode ?? 0;
    // Only the topmost Via is ours; those below it are of no use.
    message.headers["Via"]?.splice(1);
    const client = this.userAgentClients.get(message.viaBranch + message.method);
    const acknowledged = this.#refusalAcks.get(message.viaBranch);
    // A retransmission: our ACK was lost.
    if (message.method === "INVITE" && status >= 300 && acknowledged !== undefined)
      return void this.#options.send(acknowledged, { once: true }).catch(() => {});
    // A repeated challenge to an earlier transmission: the library would take it for the answer to the latest one.
    if (client && client.message.branch !== message.viaBranch)
      return void this.#remarks.push("It responds to a request that was sent again since.");
    if (client && message.method === "INVITE" && status > 100 && status < 300)
      this.#completeAnswer(message, client.message);
    if (client && (status === 401 || status === 407))
      answerChallenge(client, message, { credentials: this.#options.credentials, loggerFactory: this.loggerFactory });
    if (client && status === 408 && message.method !== "INVITE") takeTimeout(client, message);
    const changed = client && status >= 200 && status < 300 && /^(INVITE|UPDATE)$/.test(message.method);
    // Before the library sends its ACK there.
    if (changed) this.#retarget(message, message.callId + message.fromTag + message.toTag);
    this.receiveIncomingResponseFromTransport(message);
    if (client && (status === 401 || status === 407)) {
      this.#countChallenge(message);
      // The library remarks on a challenge that it can't answer, and then acts on it.
      this.#remarks.length = 0;
    }
  }

  /** Some gateways leave out the Contact, and RFC 2543 peers a tag; the library would drop their answer. */
  #completeAnswer(message: IncomingResponseMessage, invite: OutgoingRequestMessage): void {
    if (!message.toTag) message.toTag = noTag;
    if (!message.hasHeader("contact"))
      setContact(
        message,
        this.dialogs.get(invite.callId + invite.fromTag + message.toTag)?.remoteTarget ?? invite.ruri,
      );
  }

  /** A target refresh (RFC 3261, section 12.2), which the library only supports for INVITE. */
  #retarget(message: IncomingRequestMessage | IncomingResponseMessage, dialogId: string): void {
    const dialog = this.dialogs.get(dialogId);
    const contact: unknown = message.parseHeader("contact");
    if (dialog && contact instanceof NameAddrHeader) stateOf(dialog).remoteTarget = contact.uri;
  }

  /** A request that is resent with credentials takes its dialog's next CSeq; the library counts only INVITEs. */
  #countChallenge(message: IncomingResponseMessage): void {
    if (message.method === "INVITE") return;
    const dialog = this.dialogs.get(message.callId + message.fromTag + message.toTag);
    if (dialog && dialog.localSequenceNumber === message.cseq) dialog.incrementLocalSequenceNumber();
  }

  #receiveRequest(message: IncomingRequestMessage, source: Source, problem: Refusal | null): void {
    const via = message.headers["Via"]?.[0];
    if (!via || !message.ruri) return;
    via.raw = markReplyPath(via.raw, source);
    // Two clients may choose the same branch (RFC 3261, section 17.2.3), and the library compares nothing else.
    message.viaBranch = serverKey(message.viaBranch, peekHeader(`Via: ${via.raw}`, "via"));
    const refusal = message.method === "ACK" ? null : (problem ?? whyNotUnderstood(message, source));
    if (refusal) return void this.replyStateless(message, refusal);
    if (problem) return;
    this.#called.set(message, message.ruri.user ?? "");
    // The library only accepts sip requests for a single user; a trunk's requests address the dialled number, in any
    // scheme.
    message.ruri.scheme = "sip";
    message.ruri.user = this.#options.user;
    const dialogId = message.callId + message.toTag + message.fromTag;
    const dialog = this.dialogs.get(dialogId);
    // RFC 2543: the library drops the ACK of a 2xx that belongs to the INVITE's transaction (RFC 6026, section 7.1).
    const { transaction } = this.userAgentServers.get(message.viaBranch) ?? {};
    if (message.method === "ACK" && dialog && transaction?.state === TransactionState.Accepted)
      message.viaBranch += " ACK";
    const hear = message.method === "NOTIFY" && !dialog && this.afterCalls.get(dialogId);
    const outside = replyOutsideDialogs(message);
    if (message.method === "INVITE" && dialog && !message.hasHeader("contact"))
      setContact(message, dialog.remoteTarget);
    if (message.method === "BYE" && !dialog && this.#isLeaving(message))
      this.replyStateless(message, { statusCode: 200 });
    else if (hear) {
      this.replyStateless(message, { statusCode: 200 });
      hear(message);
    } else if (outside) this.replyStateless(message, outside);
    else if (message.method === "UPDATE") this.#receiveUpdate(message);
    else this.receiveIncomingRequestFromTransport(message);
  }

  /** Our own BYE in that dialog has been sent: the two cross (RFC 5407). */
  #isLeaving({ callId, fromTag, toTag }: IncomingRequestMessage): boolean {
    return [...this.userAgentClients.values()].some(
      ({ message: own }) =>
        own.method === "BYE" && own.callId === callId && own.fromTag === toTag && own.toTag === fromTag,
    );
  }

  #receiveUpdate(message: IncomingRequestMessage): void {
    const earlier = this.userAgentServers.get(message.viaBranch);
    if (earlier) return earlier.transaction.receiveRequest(message);
    const dialogId = message.callId + message.toTag + message.fromTag;
    const dialog = this.dialogs.get(dialogId);
    if (!(dialog instanceof SessionDialog)) return void this.replyStateless(message, { statusCode: 481 });
    if (dialog.remoteSequenceNumber && message.cseq <= dialog.remoteSequenceNumber)
      return void this.replyStateless(message, { statusCode: 500 });
    // The base class tracks CSeqs; the session's own method would answer 501.
    Dialog.prototype.receiveRequest.call(dialog, message);
    this.#retarget(message, dialogId);
    this.#options.onUpdate(dialog, new UserAgentServer(NonInviteServerTransaction, this, message));
  }
}

const serverKey = (branch: string, via: string | null): string =>
  `${branch} ${/^SIP\s*\/\s*2\.0\s*\/\s*\w+\s+([^;,\s]+)/i.exec(via ?? "")?.[1]?.toLowerCase()}`;
