import { lookup } from "node:dns/promises";
import type { NaptrRecord, SrvRecord } from "node:dns";
import { isIP } from "node:net";

import { canonicalAddress } from "@leadline/adapter-kit/outbound/canonical-address";

import { defaultPort, type SipProtocol, type SipTarget } from "./sip-target.ts";

/** The methods of node:dns's own Resolver. */
export interface DnsResolver {
  resolveNaptr(name: string): Promise<NaptrRecord[]>;
  resolveSrv(name: string): Promise<SrvRecord[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  /** For names that only this machine knows: /etc/hosts, neighbouring containers. The system's own by default. */
  lookup?(name: string): Promise<string[]>;
}

export interface Wanted {
  host: string;
  port: number | null;
  /** Null leaves the choice to the host's DNS. */
  protocol: SipProtocol | null;
}

/** The name doesn't exist, or has no SIP records. */
export class NotLocated extends Error {
  override name = "NotLocated";
  /** DNS didn't respond in time, so the name may well be right. */
  readonly isOfDns: boolean;

  constructor(message: string, { isOfDns = false } = {}) {
    super(message);
    this.isOfDns = isOfDns;
  }
}

/**
 * Whoever enters a name may write its zone, which can hold thousands of records: each address costs a socket, an OPTIONS
 * at every check and a place in the carrier's stored identity. No provider comes near these.
 */
const maxServices = 10;
const maxAddressesOfName = 16;
/** Of all of a trunk's servers together. */
export const maxTargets = 32;

/** The system's resolver can take most of a minute if DNS is down. */
const locatedWithinMs = 8_000;

const services: Record<string, SipProtocol> = { "SIP+D2U": "UDP", "SIP+D2T": "TCP", "SIPS+D2T": "TLS" };
const srvPrefix: Record<SipProtocol, string> = { UDP: "_sip._udp", TCP: "_sip._tcp", TLS: "_sips._tcp" };
/** If DNS has no NAPTR record: the most secure first. */
const anyProtocol: readonly SipProtocol[] = ["TLS", "UDP", "TCP"];

const none = (): never[] => [];

/** RFC 3263: up to 32 addresses that a request may go to, preferred first. Rejects with NotLocated if there is none. */
export const locate = (resolver: DnsResolver, wanted: Wanted): Promise<SipTarget[]> =>
  inTime(wanted.host, locateByDns(resolver, wanted));

/** The addresses of an audio host; empty if it doesn't exist, or DNS doesn't respond in time. */
export const addressesOfHost = (resolver: DnsResolver, host: string): Promise<string[]> =>
  inTime(host, addressesOf(resolver, host)).catch(none);

function inTime<T>(host: string, looked: Promise<T>): Promise<T> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new NotLocated(`DNS did not answer for ${host} in time.`, { isOfDns: true })),
    locatedWithinMs,
  );
  return Promise.race([looked, overdue]).finally(() => clearTimeout(timer));
}

async function locateByDns(resolver: DnsResolver, wanted: Wanted): Promise<SipTarget[]> {
  const { host, port, protocol } = wanted;
  const literally = protocol ?? (port === 5061 ? "TLS" : "UDP");
  if (isIP(host) !== 0)
    return [
      {
        protocol: literally,
        address: canonicalAddress(host),
        port: port ?? defaultPort(literally),
        serverName: host,
      },
    ];

  const byName = port === null ? await locateServices(resolver, host, protocol) : [];
  const servers = byName.length > 0 ? byName : [{ name: host, port, protocol: literally }];
  const found = await Promise.all(
    servers.map(async (server) => {
      const addresses = await addressesOf(resolver, server.name);
      return addresses.map((address) => ({
        protocol: server.protocol,
        address,
        port: server.port ?? defaultPort(server.protocol),
        serverName: host,
      }));
    }),
  );
  const targets = found.flat().slice(0, maxTargets);
  if (targets.length === 0) throw new NotLocated(`No address is known for ${host}.`);
  return targets;
}

interface Server {
  name: string;
  port: number | null;
  protocol: SipProtocol;
}

async function locateServices(
  resolver: DnsResolver,
  host: string,
  protocol: SipProtocol | null,
): Promise<readonly Server[]> {
  const pointers = (await resolver.resolveNaptr(host).catch(none))
    .flatMap((record) => {
      const named = services[record.service.toUpperCase()];
      const fits = record.flags.toLowerCase() === "s" && (protocol === null || named === protocol);
      return named !== undefined && fits ? [{ ...record, protocol: named, name: record.replacement }] : [];
    })
    .toSorted((one, other) => one.order - other.order || one.preference - other.preference)
    .slice(0, maxServices);
  const asked =
    pointers.length > 0
      ? pointers
      : (protocol === null ? anyProtocol : [protocol]).map((each) => ({
          protocol: each,
          name: `${srvPrefix[each]}.${host}`,
        }));
  const answers = await Promise.all(
    asked.map(async (question) => {
      const records = await resolver.resolveSrv(question.name).catch(none);
      return inOrder(records).map(({ name, port }) => ({ name, port, protocol: question.protocol }));
    }),
  );
  return answers.flat().slice(0, maxServices);
}

/** RFC 2782: by priority; among equals at random, with greater weights more likely to come first. */
function inOrder(records: readonly SrvRecord[]): SrvRecord[] {
  // A single dot as the name means that the service is explicitly not available.
  return records
    .filter(({ name }) => name !== "" && name !== ".")
    .map((record) => ({ record, draw: Math.random() ** (1 / Math.max(record.weight, 0.01)) }))
    .toSorted((one, other) => one.record.priority - other.record.priority || other.draw - one.draw)
    .map(({ record }) => record);
}

async function addressesOf(resolver: DnsResolver, name: string): Promise<string[]> {
  if (isIP(name) !== 0) return [canonicalAddress(name)];
  const [v4, v6] = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)]);
  const local = resolver.lookup ?? systemLookup;
  const found = v4.length + v6.length > 0 ? [...v4, ...v6] : await local(name).catch(none);
  return found.slice(0, maxAddressesOfName);
}

const systemLookup = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);
