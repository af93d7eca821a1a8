import type {
  IncomingInviteRequest,
  OutgoingRequestMessage,
  SessionDialog,
  UserAgentServer,
} from "sip.js/lib/core/index.js";
import { URI } from "sip.js/lib/grammar/index.js";

import { inNetworks } from "@leadline/adapter-kit/outbound/private-networks";

import { allowedMethods, TrunkCore } from "./signalling/core.ts";
import type { TrunkSettings } from "./settings.ts";
import { serversIn } from "./servers.ts";
import { createTargets, readServer, type Targets, wantedOf } from "./targets.ts";
import { addressesOfHost, type DnsResolver } from "./transport/locate.ts";
import { openSipTransport, type SipTransport, type TransportTrace } from "./transport/sip-transport.ts";
import { hostPort } from "./transport/sip-text.ts";
import type { SipTarget } from "./transport/sip-target.ts";

export interface TrunkOptions {
  settings: TrunkSettings;
  resolver: DnsResolver;
  /** As in SipTransportOptions. */
  mayReach?: ((address: string) => boolean) | undefined;
  /** Whether a caller ID needs no verification at a server with this address. */
  vouchesFor: (address: string) => boolean;
  /** As in TargetsOptions. */
  mayUse?: ((found: readonly SipTarget[]) => Promise<boolean>) | undefined;
  onInvite: (request: IncomingInviteRequest, called: { user: string }) => void;
  onConnectionClosed: (target: Omit<SipTarget, "serverName">) => void;
  trace: TransportTrace;
  onAudioRefused: Trunk["onAudioRefused"];
  /** A server that was silent, or never heard from, has sent something. */
  onBack: () => void;
}

export interface RequestParts extends Partial<AgainAs> {
  user?: string;
  /** Replaces the user at the server. */
  uri?: URI;
  from?: URI;
  to?: URI;
  headers?: string[];
  body?: string;
}

/** What a refused request is resent with (RFC 3261, section 8.1.3.5). */
export interface AgainAs {
  callId: string;
  fromTag: string;
  cseq: number;
}

export interface Trunk {
  readonly settings: TrunkSettings;
  readonly core: TrunkCore;
  readonly transport: SipTransport;
  readonly targets: Targets;
  /** The URI in our From and To: the account's if there is one. */
  readonly accountUri: URI;
  /** The handler of UPDATE in each of our dialogs; each session sets its own. */
  readonly updates: WeakMap<SessionDialog, (request: UserAgentServer) => void>;
  /** The same user at the trunk's own domain, which is its first server. */
  uriOf(user: string): URI;
  /** The addresses of a far end's audio host. */
  addressesOf(host: string): Promise<string[]>;
  onAudioRefused(refused: { host: string; address: string | null }): void;
  /** The configured server that this is an address of. */
  serverOf(target: SipTarget): string;
  /**
   * A request outside any dialog, to that target once the core sends it. It addresses the user at that server, under
   * the server's own name, or the server itself if there is no user.
   */
  request(method: string, target: SipTarget, parts: RequestParts): OutgoingRequestMessage;
}

/** The trunk's signalling: one transport, one core, and functions that write requests. */
export async function openTrunk(options: TrunkOptions): Promise<Trunk> {
  const { settings, resolver } = options;
  const servers = serversIn(settings.host);
  const [first = settings.host] = servers;
  const domain = readServer(first).host;
  // Without an account there is no user: one that is set by API could be anybody's number in From.
  const user = (settings.authentication === "ip" ? null : settings.user) ?? "leadline";
  const updates: Trunk["updates"] = new WeakMap();
  // A message may arrive before the core exists.
  let opened: { core: TrunkCore; targets: Targets } | null = null;
  const transport = await openSipTransport({
    resolver,
    publicAddress: settings.publicAddress,
    localPort: settings.localPort,
    // A fixed port may have been given to someone.
    listensOnTcp: settings.localPort !== 0 && settings.transport === "tcp",
    ca: settings.certificateAuthority,
    isAllowed: inNetworks(settings.allowedPeers),
    ...(options.mayReach && { mayReach: options.mayReach }),
    isExpected: (head) => opened?.core.expects(head) === true,
    trace: options.trace,
    onMessage: (text, source) => {
      opened?.targets.noteArrival(source);
      try {
        return opened ? opened.core.receive(text, source) : "The trunk is still being opened.";
      } catch (error) {
        // A message that the SIP library can't handle must not affect the next one.
        return `It couldn’t be handled: ${error instanceof Error ? error.message : "unknown error"}.`;
      }
    },
    onConnectionClosed: options.onConnectionClosed,
  });
  const credentials =
    settings.authentication === "ip" || settings.password === null
      ? null
      : { user: settings.authenticationUser ?? user, password: settings.password };
  const core = new TrunkCore({
    user,
    domain,
    credentials,
    send: transport.send,
    onInvite: options.onInvite,
    onUpdate(dialog, request) {
      const update = updates.get(dialog);
      if (update) update(request);
      // Too early: we have an unanswered offer from the far end (RFC 3311, section 5.2), or no description yet.
      else if (request.message.body) request.reject({ statusCode: 500, extraHeaders: ["Retry-After: 5"] });
      else request.accept({ statusCode: 200, extraHeaders: [core.contactHeader] });
    },
  });
  const uriAt = (server: string, each: string | undefined): URI => {
    const { host, port } = readServer(server);
    return new URI("sip", each ?? "", host.includes(":") ? `[${host}]` : host, port ?? undefined);
  };
  const uriOf = (each: string | undefined): URI => uriAt(first, each);
  const targets = createTargets({
    resolver,
    wanted: wantedOf(settings),
    vouchesFor: options.vouchesFor,
    ...(options.mayUse && { mayUse: options.mayUse }),
    isRouted: (address) =>
      transport.ourAddress(address).then(
        () => true,
        () => false,
      ),
    onBack: options.onBack,
    onLocated: (located) => transport.admit(located.map(({ address }) => address)),
  });
  opened = { core, targets };
  const serverOf = (target: SipTarget): string =>
    (settings.outboundProxy === null ? servers[targets.placeOf(target)] : undefined) ?? first;

  return {
    settings,
    core,
    transport,
    updates,
    targets,
    accountUri: uriOf(user),
    uriOf,
    serverOf,
    addressesOf: (host) => addressesOfHost(resolver, host),
    onAudioRefused: options.onAudioRefused,
    request(method, target, { user: asked, from = uriOf(user), to = uriOf(asked), headers = [], body, uri, ...again }) {
      const viaProxy = settings.outboundProxy === null ? [] : [routeTo(target)];
      const message = core.makeOutgoingRequestMessage(
        method,
        uri ?? uriAt(serverOf(target), asked),
        from,
        to,
        { routeSet: viaProxy, ...again },
        [core.contactHeader, `Allow: ${allowedMethods}`, ...headers],
        body === undefined
          ? undefined
          : { contentDisposition: "session", contentType: "application/sdp", content: body },
      );
      transport.aim(message.callId, target);
      return message;
    },
  };
}

/** A loose route (RFC 3261, section 16.12): the request URI stays unchanged. */
function routeTo({ protocol, address, port }: SipTarget): string {
  const parameter = protocol === "UDP" ? "" : `;transport=${protocol.toLowerCase()}`;
  return `<sip:${hostPort(address, port)}${parameter};lr>`;
}
