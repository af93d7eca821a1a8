import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams } from "./identifiers.ts";
import { Organisation } from "./organisations.ts";
import { NewPassword, RegisterInput } from "./sessions.ts";

export const User = z.object({
  id: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  avatar: z.string().nullable(),
  activeOrganisation: Organisation.nullable().describe(
    "Yours only; null on another person and before you have an organisation",
  ),
});
export type User = z.infer<typeof User>;

export const UpdateUserInput = RegisterInput.pick({ firstName: true, lastName: true, email: true })
  .partial()
  .extend({
    password: NewPassword.optional(),
    currentPassword: z.string().max(1024).optional().describe("Required with a new password or email"),
  });

export const getMe = endpoint({
  method: "GET",
  path: "/v1/users/me",
  summary: "Read yourself",
  access: "signed-in",
  audit: null,
  success: [200, User],
  problems: [],
});
export const getUser = endpoint({
  method: "GET",
  path: "/v1/users/{id}",
  summary: "Read a member of your active organisation",
  access: "signed-in",
  audit: null,
  params: IdParams,
  success: [200, User],
  problems: ["not-found"],
});
export const updateUser = endpoint({
  method: "PUT",
  path: "/v1/users/{id}",
  summary: "Change your name, email or password; a new password ends your other sessions",
  access: "signed-in",
  audit: "user.updated",
  params: IdParams,
  body: UpdateUserInput,
  success: [200, User],
  problems: ["not-found", "not-allowed", "wrong-credentials", "email-taken", "too-many-attempts"],
});
export const setActiveOrganisation = endpoint({
  method: "PUT",
  path: "/v1/users/set-organisation/{id}",
  summary: "Switch to another of your organisations",
  access: "signed-in",
  audit: "user.organisation-set",
  params: IdParams,
  success: [200, User],
  problems: ["not-found", "call-in-progress"],
});
