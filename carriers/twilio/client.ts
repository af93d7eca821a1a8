import { askVendor, unreadable } from "@leadline/adapter-kit/outbound/ask-vendor";
import { openOutbound, type Outbound, type OutboundRequest } from "@leadline/adapter-kit/outbound/open-outbound";
import { ProvisionerError, type ProvisionerSandbox } from "@leadline/adapter-kit/provisioner";
import twilio from "twilio";
import RequestClient from "twilio/lib/base/RequestClient.js";
import { z } from "zod";
import { answered, OwnError, toProvisionerError } from "./refusals.ts";

const hosts = [
  "api.twilio.com",
  "trunking.twilio.com",
  "pricing.twilio.com",
  "numbers.twilio.com",
  "voice.twilio.com",
] as const;
const timeoutMs = 20_000;

export type TwilioClient = ReturnType<typeof twilio>;

export interface Api {
  client: TwilioClient;
  accountSid: string;
  /** A resource that the official client lacks. */
  read<Shape extends z.ZodType>(url: string, shape: Shape): Promise<z.output<Shape>>;
  close(): void;
}

/** The official client, whose requests leave by the kit's guarded outbound. */
export function openApi(
  { accountSid, authToken }: { accountSid: string; authToken: string },
  sandbox: ProvisionerSandbox | null,
): Api {
  const onThisMachine = sandbox === null ? null : { host: hosts, address: sandbox.address };
  const outbound = openOutbound({ onThisMachine, timeoutMs });
  const client = twilio(accountSid, authToken, { httpClient: guarded(outbound) });
  return {
    client,
    accountSid,
    async read(url, shape) {
      const { statusCode: status, body } = await answered(client.request({ method: "get", uri: url }));
      if (status >= 400) throw toProvisionerError(Object.assign(new Error(`${url} answered ${status}`), { status }));
      const parsed = shape.safeParse(parse(body));
      if (!parsed.success) throw unreadable("Twilio", parsed.error);
      return parsed.data;
    },
    close: () => outbound.close(),
  };
}

function guarded(outbound: Outbound): RequestClient {
  const httpClient = new RequestClient();
  httpClient.request = <Body>(options: RequestClient.RequestOptions<Body>) =>
    send(options).catch((error: unknown) => {
      throw error instanceof ProvisionerError
        ? error
        : new OwnError("The request could not be sent.", { cause: error });
    });
  return httpClient;

  async function send<Body>(options: RequestClient.RequestOptions<Body>) {
    const url = new URL(options.uri);
    for (const [name, value] of pairsOf(options.params)) url.searchParams.append(name, value);
    const body = options.data === undefined ? undefined : new URLSearchParams(pairsOf(options.data)).toString();
    const { username = "", password = "" } = options;
    const headers: Record<string, string> = {
      accept: "application/json",
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
      ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
    };
    const method = methods[options.method];
    const sent: OutboundRequest = { method, url, headers, ...(body !== undefined && { body }) };
    const { status, text, headers: answeredHeaders } = await askVendor(outbound, "Twilio", sent);
    // The client takes any success for a deletion.
    if (method === "DELETE" && status < 400 && status !== 204) throw unreadable("Twilio");
    return { statusCode: status, body: asBody<Body>(text), headers: answeredHeaders };
  }
}

const methods = { get: "GET", post: "POST", put: "PUT", patch: "PATCH", delete: "DELETE" } as const;

/** Guarantee: askVendor() has read it as JSON, unless it is empty. */
const parse = (body: unknown): unknown =>
  typeof body === "string" ? (body.trim() === "" ? null : JSON.parse(body)) : body;

/** Guarantee: the client parses a page's text by itself, and everything else as the declared type of its own. */
const asBody = <Body>(text: string): Body => text as Body;

function pairsOf(fields: unknown): [string, string][] {
  if (typeof fields !== "object" || fields === null) return [];
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    return (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]);
  });
}
