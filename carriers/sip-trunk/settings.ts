import { z } from "zod";

/** A name or an IP address, with a port where the trunk says which. */
const place = z
  .string()
  .trim()
  .regex(
    /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?$/,
    "Type a name or an IP address, with :port if you were given one.",
  );
/** What may stand in a header as it is. */
const token = z
  .string()
  .trim()
  .max(128)
  .regex(/^[A-Za-z0-9.!%*_+~-]+$/, "Use letters, digits and . - _ + only.");
const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/, "Write numbers as +, country code, number.");
const codec = z.enum(["PCMU", "PCMA"]);

/** What an organisation's owner fills in; titles and descriptions are the form's own words. */
export const settings = z.object({
  host: place.meta({ title: "Server", description: "Your provider's or PBX's SIP domain or address." }),
  transport: z.enum(["auto", "udp", "tcp", "tls"]).default("auto").meta({
    title: "Transport",
    description: "Automatic asks the server's DNS (NAPTR and SRV), and takes UDP where that says nothing.",
  }),
  outboundProxy: place
    .nullable()
    .default(null)
    .meta({ title: "Outbound proxy", description: "Only if your provider gave you one: everything is sent there." }),
  authentication: z.enum(["register", "digest", "ip"]).default("register").meta({
    title: "Sign-in",
    description:
      "Register: as a PBX extension does. Digest: user and password, without registering. IP address: your provider knows this server's address.",
  }),
  user: token.nullable().default(null).meta({ title: "User", description: "The extension or account." }),
  authenticationUser: token
    .nullable()
    .default(null)
    .meta({ title: "Authentication user", description: "Only if it differs from the user." }),
  password: z
    .string()
    .max(256)
    .regex(/^[^\r\n]*$/, "A password has no line ends.")
    .nullable()
    .default(null)
    .meta({ title: "Password", secret: true }),
  numbers: z
    .array(e164)
    .max(500)
    .default([])
    .meta({ title: "Your numbers", description: "The numbers that ring here, and that you may call from." }),
  numberFormat: z
    .enum(["+e164", "e164"])
    .default("+e164")
    .meta({ title: "Numbers are dialled as", description: "With + in front, or with the country code alone." }),
  callerIdHeader: z.enum(["from", "p-asserted-identity", "remote-party-id"]).default("from").meta({
    title: "Caller ID goes in",
    description: "From suits most providers; PBX extensions often want one of the others.",
  }),
  codecs: z
    .array(codec)
    .min(1)
    .default(["PCMU", "PCMA"])
    .meta({ title: "Codecs", description: "In your order of preference." }),
  keys: z.enum(["rfc4733", "info"]).default("rfc4733").meta({
    title: "Keypad tones",
    description: "In the sound (RFC 4733) unless your provider asks for SIP INFO.",
  }),
  keepAliveSeconds: z.int().min(5).max(600).default(30).meta({ title: "Check the trunk every", unit: "s" }),
  registrationSeconds: z.int().min(30).max(86_400).default(300).meta({ title: "Register for", unit: "s" }),
  sessionSeconds: z
    .int()
    .min(90)
    .max(86_400)
    .default(1_800)
    .meta({ title: "Prove that a call is alive every", unit: "s", description: "RFC 4028." }),
  ringSeconds: z.int().min(10).max(300).default(120).meta({ title: "Give up ringing after", unit: "s" }),
  publicAddress: z.union([z.ipv4(), z.ipv6()]).nullable().default(null).meta({
    title: "Public address",
    description: "Where this server is behind a NAT: the address your provider sees.",
  }),
  localPort: z
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .meta({ title: "Local port", description: "Fixed where your provider sends calls to it; 0 takes any." }),
  allowedPeers: z
    .array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]))
    .max(100)
    .default([])
    .meta({ title: "Further addresses", description: "That your provider sends calls from. All others are refused." }),
  certificateAuthority: z.string().max(100_000).nullable().default(null).meta({
    title: "Certificate authority",
    description: "PEM, where no public authority signs the server's certificate.",
  }),
});

export type TrunkSettings = z.output<typeof settings>;
