import { z } from "zod";
import { Email } from "./email.ts";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

/** One message for every violation. The form shows the rule next to it. */
const passwordMessage = "A strong password is required";
/** Counts characters, not bytes. More than 256 would only make hashing slow. */
const Password = (fewest: number) =>
  z.string().refine((password) => {
    const { length } = [...password];
    return length >= fewest && length <= 256;
  }, passwordMessage);
/** Checks only the length. The server also rejects common passwords. */
export const NewPassword = Password(8);
const PersonName = (message: string) => oneLine(z.string().trim().min(2, message).max(50, message));

export const RegisterInput = z.object({
  firstName: PersonName("First name is required"),
  lastName: PersonName("Last name is required"),
  email: Email,
  password: NewPassword,
});
export const LoginInput = z.object({
  email: Email,
  password: Password(1),
});
/** 256 random bits, base64url. Rotating: each refresh returns a new one. */
const RefreshToken = z.string().min(1).max(512);

export const register = endpoint({
  method: "POST",
  path: "/v1/register",
  summary: "Register a person",
  access: "public",
  audit: "user.registered",
  body: RegisterInput.extend({
    invitation: z
      .string()
      .max(512)
      .optional()
      .describe(
        "The token from the invitation mailed to this address, or from the set-up link, if registration isn't open",
      ),
  }),
  success: [
    201,
    z.object({
      id: Id,
      confirmationMailed: z
        .literal(true)
        .optional()
        .describe("The address may register because of its domain; the link mailed to it sets the password"),
    }),
  ],
  problems: ["email-taken", "registration-refused", "too-many-attempts"],
});

export const login = endpoint({
  method: "POST",
  path: "/v1/login",
  summary: "Sign in",
  access: "public",
  audit: "session.started",
  body: LoginInput,
  success: [200, z.object({ token: z.string(), refresh_token: z.string() })],
  problems: ["wrong-credentials", "too-many-attempts"],
});

export const refreshTokens = endpoint({
  method: "POST",
  path: "/v1/token/refresh",
  summary: "Exchange a refresh token for a new pair",
  access: "public",
  audit: null,
  body: z.object({ refreshToken: RefreshToken }),
  success: [200, z.object({ access_token: z.string(), refresh_token: z.string() })],
  problems: ["refresh-token-invalid", "too-many-attempts"],
});

export const logout = endpoint({
  method: "POST",
  path: "/v1/logout",
  summary: "End the session a refresh token belongs to",
  access: "public",
  audit: "session.ended",
  body: z.object({ refreshToken: RefreshToken }),
  success: [204, null],
  problems: ["too-many-attempts"],
});

export const Session = z.object({
  id: Id,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

export const listSessions = endpoint({
  method: "GET",
  path: "/v1/sessions",
  summary: "List your open sessions",
  access: "signed-in",
  audit: null,
  success: [200, z.array(Session)],
  problems: [],
});
export const endSession = endpoint({
  method: "DELETE",
  path: "/v1/sessions/{id}",
  summary: "End one of your sessions",
  access: "signed-in",
  audit: "session.ended",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});
export const endOtherSessions = endpoint({
  method: "DELETE",
  path: "/v1/sessions",
  summary: "End all your sessions except this one",
  access: "signed-in",
  audit: "sessions.ended",
  success: [204, null],
  problems: [],
});
