import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { LoginInput, NewPassword } from "./sessions.ts";

/** Any length, so that a truncated link gets the same error as an invalid one. */
export const MailedToken = z
  .string()
  .min(1, "This link is incomplete. Open it from the email again.")
  .max(2000, "This link isn’t valid. Open it from the email again.")
  .describe("From the mailed link");

/** For changes that need the signed-in person’s password again. Without it the response is password-required. */
export const CurrentPassword = z.string().max(1024).optional().describe("Yours; needed if the response says so");

export const ForgotPasswordInput = LoginInput.pick({ email: true });
export const ResetPasswordInput = z.object({
  token: MailedToken,
  password: NewPassword,
});

export const forgotPassword = endpoint({
  method: "POST",
  path: "/v1/password/forgot",
  summary: "Mail a link that sets a new password; the response is the same whether or not the address is known",
  access: "public",
  audit: "password.reset-asked",
  body: ForgotPasswordInput,
  success: [204, null],
  problems: ["too-many-attempts"],
});
export const checkResetLink = endpoint({
  method: "POST",
  path: "/v1/password/reset-link",
  summary: "Check whether a mailed link still works, without using it up",
  access: "public",
  audit: null,
  body: ResetPasswordInput.pick({ token: true }),
  success: [204, null],
  problems: ["link-invalid", "too-many-attempts"],
});
export const resetPassword = endpoint({
  method: "POST",
  path: "/v1/password/reset",
  summary: "Set a new password with a mailed link, which is used up; ends every session",
  access: "public",
  audit: "password.reset",
  body: ResetPasswordInput,
  success: [204, null],
  problems: ["link-invalid", "too-many-attempts"],
});
