import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { LoginInput, NewPassword } from "./sessions.ts";

export const ForgotPasswordInput = LoginInput.pick({ email: true });
export const ResetPasswordInput = z.object({
  token: z.string().min(20).max(200).describe("From the mailed link"),
  password: NewPassword,
});

export const forgotPassword = endpoint({
  method: "POST",
  path: "/v1/password/forgot",
  summary: "Mail a link that sets a new password; the answer is the same whether or not the address is known",
  access: "public",
  audit: "password.reset-asked",
  body: ForgotPasswordInput,
  success: [204, null],
  problems: ["too-many-attempts"],
});
export const resetPassword = endpoint({
  method: "POST",
  path: "/v1/password/reset",
  summary: "Set a new password by a mailed link, which then is used up; it ends every session",
  access: "public",
  audit: "password.reset",
  body: ResetPasswordInput,
  success: [204, null],
  problems: ["link-invalid", "too-many-attempts"],
});
