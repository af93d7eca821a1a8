import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** A path on this site, never another site: no //host, and no backslash that a browser would treat as a slash. */
export const OwnPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[^\\\s]*$/, "A path on this site.");

/** The contents of the state parameter, as base64url of JSON. */
export const HostedLoginState = z.object({
  path: OwnPath.optional().describe("Where to go afterwards"),
  proof: z.string().describe("SHA-256 of the proof that the browser kept"),
});

/** Invited people can register regardless. */
export const Registration = z.union([
  z.literal("open").describe("Anyone may register"),
  z.object({
    domains: z
      .array(z.string())
      .describe("People with an address at these domains may register; none: by invitation only"),
  }),
]);
export type Registration = z.infer<typeof Registration>;

export const getLoginOptions = endpoint({
  method: "GET",
  path: "/v1/login-options",
  summary: "Read whether a hosted login (OpenID Connect) is configured, its name, and who may register",
  access: "public",
  audit: null,
  success: [200, z.object({ hostedLogin: z.object({ name: z.string() }).nullable(), registration: Registration })],
  problems: [],
});

export const startHostedLogin = endpoint({
  method: "POST",
  path: "/v1/hosted-login",
  summary: "Start a hosted login: returns where to redirect the browser, and the proof it needs on return",
  access: "public",
  audit: "hosted-login.started",
  body: z.object({ path: OwnPath.optional().describe("Where to go afterwards; part of the state") }),
  success: [
    200,
    z.object({
      url: z.url(),
      proof: z.string().describe("Stored only in this browser; without it the code is worthless"),
    }),
  ],
  problems: ["not-found", "hosted-login-unreachable", "too-many-attempts"],
});

export const finishHostedLogin = endpoint({
  method: "POST",
  path: "/v1/hosted-login/token",
  summary: "Exchange the hosted login's response for a session; works once, within ten minutes",
  access: "public",
  audit: "session.started",
  urlEncoded: true,
  body: z.object({
    grant_type: z.literal("authorization_code"),
    code: z.string().min(1).max(4000),
    state: z.string().min(1).max(4000),
    proof: z.string().min(20).max(200),
    iss: z.string().max(2000).optional().describe("As received, RFC 9207"),
  }),
  success: [
    200,
    z.object({
      access_token: z.string(),
      refresh_token: z.string(),
      id_token: z.string().describe("For logging out of the hosted login too"),
    }),
  ],
  problems: [
    "not-found",
    "hosted-login-failed",
    "hosted-login-refused",
    "registration-refused",
    "hosted-login-unreachable",
    "too-many-attempts",
  ],
});

export const leaveHostedLogin = endpoint({
  method: "POST",
  path: "/v1/hosted-login/leave",
  summary: "Read where a browser ends its session at the hosted login; null if it has no such page",
  access: "public",
  audit: "hosted-login.left",
  body: z.object({ idToken: z.string().min(1).max(16_000) }),
  success: [200, z.object({ url: z.url().nullable() })],
  problems: ["too-many-attempts"],
});
