import { resolve } from "node:path";
import { Network } from "@leadline/adapter-kit/outbound/private-networks";
import { z } from "zod";
import { type CarrierOwners, CarrierOwnersSetting } from "./carrier-owners.ts";
import { InvoiceTax, readSeller, type Seller } from "./invoice-settings.ts";

const Port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a whole number from 0 to 65535 (0 takes any free port)")
  .transform(Number)
  .refine((port) => port <= 65_535, "must be a whole number from 0 to 65535 (0 takes any free port)");

const HttpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    message: "must be an address that starts with http:// or https://",
  })
  .transform((text) => new URL(text));

const DatabaseUrl = z.string().regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://");

const SmtpUrl = z.string().refine((text) => URL.canParse(text) && /^smtps?:\/\/[^/]/.test(text), {
  message: "must be a mail server's address, such as smtp://user:password@mail.example.com:587 or smtps://…",
});

/** `phone@example.com` or `Leadline <phone@example.com>`. */
const MailAddress = z
  .string()
  .refine((text) => z.email().safeParse(/^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text).success, {
    message: "must be a mail address, such as phone@example.com or Leadline <phone@example.com>",
  });

/** Unencrypted only on this machine, because the issuer's responses identify people. */
const IssuerUrl = HttpUrl.refine(
  (url) => url.protocol === "https:" || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname),
  { message: "must be an https:// address: what comes from there says who somebody is" },
);

const nodeForm = /^udp:(?:\[([0-9a-fA-F:.]+)\]|([^:\s,]+)):(\d{1,5})$/;

const isPort = (digits: string | undefined): boolean => Number(digits) >= 1 && Number(digits) <= 65_535;

/** `udp:10.0.0.1:2223`, separated by commas. */
const MediaNodes = z
  .string()
  .transform((list) => list.split(/[ ,]+/).filter((entry) => entry !== ""))
  .refine((entries) => entries.length > 0 && entries.every((entry) => nodeForm.test(entry)), {
    message: "must name the control ports of rtpengines (NG), such as udp:10.0.0.1:2223, with commas between",
    abort: true,
  })
  .refine((entries) => entries.every((entry) => isPort(nodeForm.exec(entry)?.[3])), {
    message: "must name control ports from 1 to 65535, such as udp:10.0.0.1:2223",
  })
  .transform((entries) =>
    entries.flatMap((entry) => {
      const [, bracketed, host = bracketed, port] = nodeForm.exec(entry) ?? [];
      return host === undefined ? [] : [{ host, port: Number(port) }];
    }),
  );

const Count = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, "must be a whole number from 1 to 99999")
  .transform(Number);

const mediaTimeoutWords = "must be 0 (never) or a whole number of seconds from 5 to 3600";
const MediaTimeout = z
  .string()
  .regex(/^\d{1,4}$/, mediaTimeoutWords)
  .transform(Number)
  .refine((seconds) => seconds === 0 || (seconds >= 5 && seconds <= 3600), mediaTimeoutWords);

const syncMinutesWords = "must be 0 (off) or a whole number of minutes up to 1440";
const SyncMinutes = z
  .string()
  .regex(/^\d{1,4}$/, syncMinutesWords)
  .transform(Number)
  .refine((minutes) => minutes <= 1440, syncMinutesWords);

const TurnUrls = z
  .string()
  .transform((list) => list.split(/[ ,]+/).filter((entry) => entry !== ""))
  .refine(
    (urls) => urls.length > 0 && urls.every((url) => /^turns?:[^\s?@]+(\?transport=(udp|tcp))?$/.test(url)),
    "must be addresses of TURN servers, such as turn:turn.example.com:3478 or turns:turn.example.com:5349?transport=tcp, with commas between",
  );

const Settings = z.object({
  PORT: Port.default(3000),
  /** Loopback by default, so that a trial isn't exposed to the network by accident. A container sets 0.0.0.0. */
  HOST: z.string().min(1, "must be an address to listen on, such as 127.0.0.1 or 0.0.0.0").default("127.0.0.1"),
  DATA_DIR: z.string().min(1, "must be a folder").default("./data"),
  DATABASE_URL: DatabaseUrl.optional(),
  PUBLIC_URL: HttpUrl.optional(),
  MEDIA_ADDRESS: z.ipv4("must be an IPv4 address, such as 203.0.113.7").optional(),
  SECRET_KEY: z.string().min(32, "must have at least 32 characters; `openssl rand -base64 32` makes one").optional(),
  /** Former values of SECRET_KEY, while what they encrypted and signed should stay valid. */
  PREVIOUS_SECRET_KEYS: z
    .string()
    .transform((list) => list.split(/[ ,]+/).filter((entry) => entry !== ""))
    .refine(
      (keys) => keys.every((key) => key.length >= 32),
      "must be keys of at least 32 characters, with commas between",
    )
    .default([]),
  /** Comma-separated addresses or networks of reverse proxies whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: z
    .string()
    .regex(/^[0-9a-fA-F.:/, ]*$/, "must be IP addresses or networks (such as 10.0.0.0/8), with commas between")
    .transform((list) => list.split(/[ ,]+/).filter((entry) => entry !== ""))
    .default([]),
  /** Private addresses or networks where carriers may be, separated by commas. */
  PRIVATE_NETWORKS: z
    .string()
    .transform((list) => list.split(/[ ,]+/).filter((entry) => entry !== ""))
    .refine((entries) => entries.every((entry) => Network.safeParse(entry).success), {
      message: "must be IP addresses or networks, such as 192.168.1.0/24, with commas between",
    })
    .default([]),
  CARRIER_OWNERS: CarrierOwnersSetting.optional(),
  REGISTRATION: z
    .string()
    .transform((given) =>
      given
        .toLowerCase()
        .split(/[ ,]+/)
        .filter((entry) => entry !== ""),
    )
    .refine(
      (given) =>
        ["open", "invite-only"].includes(given.join()) ||
        given.every((each) => z.hostname().safeParse(each).success && each.includes(".")),
      { message: "must be open, invite-only, or the mail domains that may register, such as example.com" },
    )
    .default(["open"]),
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: MailAddress.optional(),
  CRM_SYNC_MINUTES: SyncMinutes.default(5),
  SANDBOX_CRM: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  /** The seller on receipts: name, address and tax number, with | between the lines. */
  INVOICE_SELLER: z.string().max(500, "must have at most 500 characters").optional(),
  INVOICE_TAX: InvoiceTax.optional(),
  SANDBOX_CARRIERS: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  OIDC_ISSUER: IssuerUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().trim().min(1, "must be a name").max(40, "must have at most 40 characters").optional(),
  OIDC_TRUST_EMAIL: z.enum(["on", "off"], { error: "must be on or off" }).optional(),
  RTPENGINES: MediaNodes.optional(),
  TURN_URLS: TurnUrls.optional(),
  TURN_SECRET: z.string().min(16, "must have at least 16 characters; `openssl rand -base64 32` makes one").optional(),
  INBOUND_CALLS_PER_MINUTE: Count.default(120),
  INBOUND_CALLS_RINGING: Count.default(30),
  VOICEMAILS_AT_ONCE: Count.default(20),
  NUMBERS_PER_ORGANISATION: Count.default(100),
  MEDIA_TIMEOUT_SECONDS: MediaTimeout.default(30),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "must be one of trace, debug, info, warn, error, fatal, silent",
    })
    .default("info"),
});

export interface OidcSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** The name shown on the login page. */
  name: string;
  /** An address counts as verified if the provider doesn't say whether it is. */
  trustEmail: boolean;
}

export interface TurnSettings {
  urls: string[];
  /** Shared with the TURN server, which uses it to recognise credentials from us. */
  secret: string;
}

export interface Config {
  port: number;
  host: string;
  /** An absolute path. */
  dataDir: string;
  databaseUrl: string | null;
  publicUrl: URL | null;
  /** Where browsers outside the NAT reach the audio, in addition to the machine's own addresses. */
  mediaAddress: string | null;
  secretKey: string | null;
  /** Newest first. They only decrypt and verify; nothing new is made with them. */
  previousSecretKeys: string[];
  trustedProxies: string[];
  /** Private networks in which carriers are allowed, in addition to the public Internet. */
  privateNetworks: string[];
  carrierOwners: CarrierOwners;
  registration: "open" | { domains: string[] };
  /** Null writes mails to DATA_DIR/mail instead. */
  smtpUrl: string | null;
  mailFrom: string;
  /** The interval of automatic CRM syncs; null turns them off. */
  crmSyncEveryMs: number | null;
  /** Start the built-in CRM for trials. */
  sandboxCrm: boolean;
  /** Shown on receipts: the seller's lines, and the tax included in prices. */
  seller: Seller;
  /** Whether the vendors that are connected by API key have sandboxes here. */
  sandboxCarriers: boolean;
  /** The hosted login, by OpenID Connect; null if only passwords are used. */
  oidc: OidcSettings | null;
  /** Empty if this process carries the audio of all calls. */
  rtpengines: { host: string; port: number }[];
  /** Null if browsers reach the server's own addresses. */
  turn: TurnSettings | null;
  /** Per organisation. Further callers get 503. */
  inboundLimits: { callsInAMinute: number; maxRinging: number; maxVoicemails: number };
  /** How many phone numbers an organisation can have. */
  maxNumbers: number;
  /** How long the far end of an answered call may send no RTP. Null: no limit. */
  mediaTimeoutMs: number | null;
  metricsToken: string | null;
  logLevel: z.infer<typeof Settings>["LOG_LEVEL"];
  /** All environment variables: each adapter reads its own settings from them. */
  environment: Record<string, string | undefined>;
  /** Development mode: Vite serves the page, and a demo user can sign in. */
  dev: boolean;
}

/** An error that prevents the start, with a sentence for the administrator and no stack trace. */
export class StartRefused extends Error {
  override name = "StartRefused";
}

/** An empty variable counts as unset, since Compose files pass them like that. */
export function readConfig(environment: Record<string, string | undefined>, options: { dev: boolean }): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`);
    throw new StartRefused(sentences.join("\n"));
  }
  const settings = parsed.data;
  if (settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined) {
    throw new StartRefused("MAIL_FROM must be set with SMTP_URL: the sender address of Leadline's mails.");
  }
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL ?? null,
    publicUrl: settings.PUBLIC_URL ?? null,
    mediaAddress: settings.MEDIA_ADDRESS ?? null,
    secretKey: settings.SECRET_KEY ?? null,
    previousSecretKeys: settings.PREVIOUS_SECRET_KEYS,
    trustedProxies: settings.TRUSTED_PROXIES,
    privateNetworks: settings.PRIVATE_NETWORKS,
    carrierOwners: settings.CARRIER_OWNERS ?? new Map(),
    registration: readRegistration(settings.REGISTRATION),
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM ?? "Leadline <leadline@localhost>",
    crmSyncEveryMs: settings.CRM_SYNC_MINUTES === 0 ? null : settings.CRM_SYNC_MINUTES * 60_000,
    sandboxCrm: settings.SANDBOX_CRM === "on",
    seller: readSeller(settings.INVOICE_SELLER, settings.INVOICE_TAX),
    sandboxCarriers: settings.SANDBOX_CARRIERS === "on",
    oidc: readOidc(settings),
    rtpengines: settings.RTPENGINES ?? [],
    turn: readTurn(settings),
    inboundLimits: {
      callsInAMinute: settings.INBOUND_CALLS_PER_MINUTE,
      maxRinging: settings.INBOUND_CALLS_RINGING,
      maxVoicemails: settings.VOICEMAILS_AT_ONCE,
    },
    maxNumbers: settings.NUMBERS_PER_ORGANISATION,
    mediaTimeoutMs: settings.MEDIA_TIMEOUT_SECONDS === 0 ? null : settings.MEDIA_TIMEOUT_SECONDS * 1000,
    metricsToken: settings.METRICS_TOKEN ?? null,
    logLevel: settings.LOG_LEVEL,
    environment: given,
    dev: options.dev,
  };
}

const readRegistration = (given: string[]): Config["registration"] =>
  given.join() === "open" ? "open" : { domains: given.join() === "invite-only" ? [] : given };

function readTurn({ TURN_URLS: urls, TURN_SECRET: secret }: z.output<typeof Settings>): TurnSettings | null {
  if (urls !== undefined && secret !== undefined) return { urls, secret };
  if (urls === undefined && secret === undefined) return null;
  throw new StartRefused("TURN_URLS and TURN_SECRET must be set together, or neither.");
}

function readOidc(settings: z.output<typeof Settings>): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  const { OIDC_NAME: name, OIDC_TRUST_EMAIL: trustEmail } = settings;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { issuer, clientId, clientSecret, name: name ?? "single sign-on", trustEmail: trustEmail === "on" };
  if ([issuer, clientId, clientSecret, name, trustEmail].every((setting) => setting === undefined)) return null;
  throw new StartRefused(
    "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together (OIDC_NAME and OIDC_TRUST_EMAIL are optional), or none of them.",
  );
}
