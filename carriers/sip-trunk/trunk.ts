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
  /** As of SipTransportOptions. */
  mayReach?: ((address: string) => boolean) | undefined;
  /** Of a server at such an address nothing needs to be proven. */
  vouchesFor: (address: string) => boolean;
  /** As of TargetsOptions. */
  mayUse?: ((found: readonly SipTarget[]) => Promise<boolean>) | undefined;
  onInvite: (request: IncomingInviteRequest, called: { user: string }) => void;
  onConnectionClosed: (target: Omit<SipTarget, "serverName">) => void;
  trace: TransportTrace;
  onAudioRefused: Trunk["onAudioRefused"];
  /** A server that was silent, or had never been heard, has sent something. */
  onBack: () => void;
}

export interface RequestParts extends Partial<AgainAs> {
  user?: string;
  /** In place of the user at the server. */
  uri?: URI;
  from?: URI;
  to?: URI;
  headers?: string[];
  body?: string;
}

/** As what a request that was refused is sent again (RFC 3261, section 8.1.3.5). */
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
  /** As it stands in our From and To: the account where there is one. */
  readonly accountUri: URI;
  /** What an UPDATE in one of our dialogs does; a session sets its own. */
  readonly updates: WeakMap<SessionDialog, (request: UserAgentServer) => void>;
  /** The same user at the trunk's own domain, which is the first of its servers. */
  uriOf(user: string): URI;
  /** Of a host that a far end's audio is at. */
  addressesOf(host: string): Promise<string[]>;
  onAudioRefused(refused: { host: string; address: string | null }): void;
  /** The server that this is an address of, as the settings name it. */
  serverOf(target: SipTarget): string;
  /**
   * A request outside any dialog, on its way to that target once the core sends it. It asks that server, under the server's
   * own name, for the user, or where none is given for the server itself.
   */
  request(method: string, target: SipTarget, parts: RequestParts): OutgoingRequestMessage;
}

/** The trunk's signalling: one transport, one core, and how requests to it are written. */
export async function openTrunk(options: TrunkOptions): Promise<Trunk> {
  const { settings, resolver } = options;
  const servers = serversIn(settings.host);
  const [first = settings.host] = servers;
  const domain = readServer(first).host;
  const user = settings.user ?? "leadline";
  const updates: Trunk["updates"] = new WeakMap();
  // A peer may speak before there is anybody to hear it.
  let opened: { core: TrunkCore; targets: Targets } | null = null;
  const transport = await openSipTransport({
    resolver,
    publicAddress: settings.publicAddress,
    localPort: settings.localPort,
    // Where the port is fixed, somebody has been told of it.
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
      // Early yet: we have an offer of theirs before us (RFC 3311, section 5.2), or nothing to say.
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
    onLocated: (located) => located.forEach(({ address }) => transport.admit(address)),
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

/** A loose route (RFC 3261, section 16.12): the request's own URI stays what it is. */
function routeTo({ protocol, address, port }: SipTarget): string {
  const parameter = protocol === "UDP" ? "" : `;transport=${protocol.toLowerCase()}`;
  return `<sip:${hostPort(address, port)}${parameter};lr>`;
}
