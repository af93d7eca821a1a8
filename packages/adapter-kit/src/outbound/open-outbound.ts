import { lookup as resolveByDns, type LookupAddress, type LookupAllOptions } from "node:dns";
import { type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { Agent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isPublicAddress } from "./public-address.ts";

export interface OutboundRequest {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  url: URL;
  headers?: Record<string, string>;
  body?: string;
  /** Shorter than the default, if someone is waiting. */
  timeoutMs?: number;
}
/** Redirects are returned like any other response, not followed. */
export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}
/** address-refused: the request would not leave for the public Internet. */
export class OutboundError extends Error {
  override name = "OutboundError";
  readonly fault: "address-refused" | "unreachable" | "time-out" | "too-large";
  constructor(fault: OutboundError["fault"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void;

export interface OutboundOptions {
  /** The hosts of one vendor that are served on this machine, unencrypted: the built-in sandbox. */
  onThisMachine?: { host: string | readonly string[]; address: URL } | null;
  timeoutMs?: number;
  /** Of an answer, decompressed. */
  maxBytes?: number;
  /** For tests; by default, the system's resolver. */
  resolve?: Resolve;
}
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundResponse>;
  close(): void;
}

/**
 * Requests to servers whose names users enter: https only, never to an IP address, a port, or a name that resolves to a
 * private address. It connects to the address that was checked, so that a second look-up can't differ.
 */
export function openOutbound(options: OutboundOptions = {}): Outbound {
  const {
    onThisMachine = null,
    timeoutMs: defaultTimeoutMs = 30_000,
    maxBytes = 32_000_000,
    resolve = resolveByDns,
  } = options;
  const agent = new Agent({ keepAlive: true, lookup: lookupPublic(resolve) });
  const servedHere = new Set([onThisMachine?.host ?? []].flat());

  return {
    send({ method, url, headers = {}, body, timeoutMs = defaultTimeoutMs }) {
      const local = onThisMachine !== null && servedHere.has(url.hostname) ? onThisMachine.address : null;
      const refusal = whyRefused(url);
      if (refusal !== null) return Promise.reject(new OutboundError("address-refused", refusal));
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const all = { method, headers: { ...headers, ...length }, signal: AbortSignal.timeout(timeoutMs) };
      const sent =
        local === null
          ? requestHttps(url, { ...all, agent })
          : requestHttp(Object.assign(new URL(local), { pathname: url.pathname, search: url.search }), all);
      sent.end(body);
      return readAnswer(sent, maxBytes);
    },
    close: () => agent.destroy(),
  };
}

function whyRefused(url: URL): string | null {
  if (url.protocol !== "https:") return "only https is sent";
  if (url.username !== "" || url.password !== "") return "an address may not hold a name or password";
  if (url.port !== "") return "an address may not name a port";
  return isIP(url.hostname.replace(/^\[|\]$/g, "")) === 0 ? null : "an address must be a name, not a number";
}

function lookupPublic(resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, "", 0);
      const [first] = found;
      // One private address among public ones is an attack, not a coincidence.
      if (first === undefined || !found.every(({ address }) => isPublicAddress(address)))
        return done(new OutboundError("address-refused", `${hostname} is not on the public Internet`), "", 0);
      return options.all === true ? done(null, found) : done(null, first.address, first.family);
    });
  };
}

function readAnswer(sent: ReturnType<typeof requestHttps>, maxBytes: number): Promise<OutboundResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
  sent.on("error", (error) => reject(toOutboundError(error)));
  sent.on("response", (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Some servers compress without being asked to. An error of either stream ends both.
    const isCompressed = response.headers["content-encoding"] === "gzip";
    const body: Readable = isCompressed ? pipeline(response, createGunzip(), () => {}) : response;
    body.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        reject(new OutboundError("too-large", "the answer is too large"));
        sent.destroy();
      }
    });
    body.on("end", () => {
      const { statusCode = 0, headers } = response;
      resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString("utf8") });
    });
    body.on("error", (error: Error) => reject(toOutboundError(error)));
  });
  return promise;
}

function toOutboundError(error: Error): OutboundError {
  if (error instanceof OutboundError) return error;
  if (error.name === "TimeoutError" || error.name === "AbortError")
    return new OutboundError("time-out", "no answer in time", { cause: error });
  return new OutboundError("unreachable", error.message, { cause: error });
}
