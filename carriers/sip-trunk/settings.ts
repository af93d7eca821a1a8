import { z } from "zod";

import { servers } from "./servers.ts";

/** Safe to put into a header unchanged. Without `%`: an escape could hide a number, and an incomplete one isn't a URI. */
const token = z
  .string()
  .trim()
  .max(128)
  .regex(/^[A-Za-z0-9.!*_+~-]+$/, "Use letters, digits and . - _ + only.");
/** The usual notations of numbers: with spaces, dashes, brackets, and the (0) that is only dialled nationally. */
const e164 = z
  .string()
  .overwrite((typed) => typed.replace("(0)", "").replaceAll(/[\s()./\p{Pd}]/gu, ""))
  .regex(/^\+[1-9]\d{6,14}$/, "Enter numbers as +, country code, number.");
const codec = z.enum(["opus", "PCMU", "PCMA", "G722"]);
const address = z.union([z.ipv4(), z.ipv6()], "Enter an IP address, such as 203.0.113.7.");
const whole = (least: number, most: number) => {
  const message = `Enter a whole number from ${least} to ${most}.`;
  return z.int(message).min(least, message).max(most, message);
};
/** In two steps: one regular expression for both lines takes time in the square of the text. */
function holdsCertificate(pem: string): boolean {
  const begin = pem.search(/-----BEGIN ([A-Z\d]+ )?CERTIFICATE-----/);
  return begin >= 0 && /-----END ([A-Z\d]+ )?CERTIFICATE-----/.test(pem.slice(begin));
}
const asksPassword = { authentication: ["register", "digest"] };

/**
 * The form that an organisation's owner fills in. The metadata are the form's texts: title, description, names of
 * choices. `advanced` fields are collapsed; `shownFor` fields only appear if another setting has one of these values.
 */
const fields = z.object({
  host: servers.meta({
    title: "Server",
    description:
      "Your provider’s or PBX’s SIP domain or address, with :port if you were given one. Up to four, separated by commas, preferred first.",
  }),
  transport: z
    .enum(["auto", "udp", "tcp", "tls"])
    .default("auto")
    .meta({
      title: "Transport",
      description: "Automatic looks it up in DNS (NAPTR and SRV), and uses UDP if there’s no record.",
      choices: { auto: "Automatic", udp: "UDP", tcp: "TCP", tls: "TLS" },
    }),
  outboundProxy: servers.nullable().default(null).meta({
    title: "Outbound proxy",
    description: "Only if your provider gave you one. All requests go through it. Up to four, as above.",
    advanced: true,
  }),
  authentication: z
    .enum(["register", "digest", "ip"])
    .default("register")
    .meta({
      title: "Sign-in",
      description: "Ask your provider or PBX administrator.",
      choices: {
        register: "Register, as a PBX extension does",
        digest: "User and password, without registering",
        ip: "By this server’s IP address",
      },
    }),
  user: token.nullable().default(null).meta({
    title: "User",
    description: "The extension or account.",
    shownFor: asksPassword,
  }),
  authenticationUser: token.nullable().default(null).meta({
    title: "Authentication user",
    description: "Only if it differs from the user.",
    advanced: true,
    shownFor: asksPassword,
  }),
  password: z
    .string()
    .max(256)
    .regex(/^[^\r\n]*$/, "Remove line breaks from the password.")
    .nullable()
    .default(null)
    .meta({ title: "Password", secret: true, shownFor: asksPassword }),
  numbers: z.array(e164).max(500).default([]).meta({
    title: "Your numbers",
    description: "One per line, such as +442079460123. Only these ring here. If empty, all numbers ring.",
  }),
  callerId: e164.nullable().default(null).meta({
    title: "Caller ID",
    description:
      "The number that people you call see, after you verify it with a call. If empty, your provider chooses, or with sign-in by IP address, the first of your numbers.",
  }),
  numberFormat: z
    .enum(["+e164", "e164"])
    .default("+e164")
    .meta({
      title: "Numbers are dialled as",
      choices: { "+e164": "+44 20 7946 0123", e164: "44 20 7946 0123" },
      advanced: true,
    }),
  callerIdHeader: z
    .enum(["from", "p-asserted-identity", "remote-party-id"])
    .default("from")
    .meta({
      title: "Caller ID goes in",
      description: "From suits most providers. PBX extensions often need one of the others.",
      choices: {
        from: "From",
        "p-asserted-identity": "P-Asserted-Identity",
        "remote-party-id": "Remote-Party-ID",
      },
      advanced: true,
    }),
  codecs: z
    .array(codec)
    .min(1, "Choose at least one codec.")
    .refine(
      (chosen) => chosen.length === 0 || chosen.some((each) => each === "PCMU" || each === "PCMA"),
      "Choose PCMU or PCMA as well. Not everyone supports the others.",
    )
    .default(["PCMU", "PCMA", "G722"])
    .meta({
      title: "Codecs",
      description:
        "Listed in order of preference. Put Opus or G.722 first for clearer audio where the other side supports it.",
      choices: { opus: "Opus (wideband)", PCMU: "PCMU (µ-law)", PCMA: "PCMA (A-law)", G722: "G.722 (wideband)" },
      advanced: true,
    }),
  keys: z
    .enum(["rfc4733", "info"])
    .default("rfc4733")
    .meta({
      title: "Keypad tones",
      description: "Sent in the audio unless your provider asks for SIP INFO.",
      choices: { rfc4733: "In the audio (RFC 4733)", info: "SIP INFO" },
      advanced: true,
    }),
  mediaEncryption: z
    .enum(["off", "tls", "required"])
    .default("tls")
    .meta({
      title: "Encrypt audio",
      description: "With SRTP. It requires TLS, because keys are never sent in plain text.",
      choices: {
        off: "Never",
        tls: "With TLS, if the other side supports it",
        required: "Always (refuse unencrypted calls)",
      },
      advanced: true,
    }),
  keepAlive: z
    .enum(["options", "off"])
    .default("options")
    .meta({
      title: "Check the trunk",
      description: "With SIP OPTIONS. If a trunk ignores it, any other message shows that it’s reachable.",
      choices: { options: "Regularly, by OPTIONS", off: "Never" },
      advanced: true,
    }),
  keepAliveSeconds: whole(5, 600)
    .default(30)
    .meta({ title: "Check it every", unit: "seconds", advanced: true, shownFor: { keepAlive: ["options"] } }),
  registrationSeconds: whole(30, 86_400)
    .default(300)
    .meta({ title: "Register for", unit: "seconds", advanced: true, shownFor: { authentication: ["register"] } }),
  sessionSeconds: whole(90, 86_400).default(1_800).meta({ title: "Session timer", unit: "seconds", advanced: true }),
  ringSeconds: whole(10, 300).default(120).meta({ title: "Give up ringing after", unit: "seconds", advanced: true }),
  publicAddress: address.nullable().default(null).meta({
    title: "Public address",
    description: "Only if this server is behind a NAT: the address your provider sees.",
    advanced: true,
  }),
  localPort: whole(0, 65_535).default(0).meta({
    title: "Local port",
    description: "The port your provider sends calls to. 0 uses any free port.",
    advanced: true,
  }),
  allowedPeers: z
    .array(
      z.union(
        [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
        "Enter IP addresses or networks, such as 203.0.113.0/24, one per line.",
      ),
    )
    .max(100)
    .default([])
    .meta({
      title: "Further addresses",
      description: "Other addresses your provider sends calls from, one per line. All others are refused.",
      advanced: true,
    }),
  certificateAuthority: z
    .string()
    .max(100_000)
    .refine(holdsCertificate, "Paste the whole file. It starts with -----BEGIN CERTIFICATE-----.")
    .nullable()
    .default(null)
    .meta({
      title: "Certificate authority",
      description: "PEM, only if the server’s certificate isn’t from a public authority.",
      multiline: true,
      advanced: true,
      shownFor: { transport: ["auto", "tls"] },
    }),
});

type Fields = z.output<typeof fields>;
const signsIn = ({ authentication }: Fields): boolean => authentication !== "ip";
/** Runs even if other settings are invalid: the form shows all errors at once. */
const always = { when: () => true };

/** Registration needs a username and password, and required encryption needs a transport for its keys. */
export const settings = fields
  .refine(
    ({ mediaEncryption, transport }) => mediaEncryption !== "required" || (transport !== "udp" && transport !== "tcp"),
    { path: ["mediaEncryption"], message: "This requires TLS as the transport.", ...always },
  )
  .refine((given) => !signsIn(given) || given.user !== null, { path: ["user"], message: "Enter the user.", ...always })
  .refine((given) => !signsIn(given) || given.password !== null, {
    path: ["password"],
    message: "Enter the password.",
    ...always,
  });

export type TrunkSettings = Fields;
