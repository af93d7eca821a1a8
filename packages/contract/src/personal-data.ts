import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./identifiers.ts";
import { CurrentPassword } from "./passwords.ts";

export const exportLeadData = endpoint({
  method: "GET",
  path: "/v1/leads/{id}/personal-data",
  summary: "Export everything stored about a lead, as a ZIP file: data.json, its files, and its voicemail messages",
  access: "admin",
  audit: "lead.personal-data-exported",
  params: IdParams,
  mayTakeMs: 300_000,
  success: [200, "file"],
  problems: ["not-found"],
});

export const eraseLead = endpoint({
  method: "POST",
  path: "/v1/leads/{id}/erase",
  summary:
    "Erase a lead with its notes, files, messages and history for good; calls keep their time and cost, but no number or name",
  access: "admin",
  audit: "lead.erased",
  params: IdParams,
  body: z.object({ currentPassword: CurrentPassword }),
  mayTakeMs: 120_000,
  success: [204, null],
  problems: ["not-found", "not-allowed", "password-required", "wrong-credentials", "too-many-attempts", "lead-in-use"],
});

export const exportOwnData = endpoint({
  method: "GET",
  path: "/v1/users/me/personal-data",
  summary: "All that is stored about you, as a ZIP file: your account, sessions, calls, notes and audit entries",
  access: "signed-in",
  audit: "user.personal-data-exported",
  mayTakeMs: 300_000,
  success: [200, "file"],
  problems: ["not-found"],
});

export const eraseAccount = endpoint({
  method: "POST",
  path: "/v1/users/me/erase",
  summary: "Delete your account for good; what you did for your organisations stays there, without your name",
  access: "signed-in",
  audit: "user.erased",
  body: z.object({ currentPassword: CurrentPassword }),
  mayTakeMs: 120_000,
  success: [204, null],
  problems: [
    "not-found",
    "not-allowed",
    "password-required",
    "wrong-credentials",
    "too-many-attempts",
    "last-owner",
    "call-in-progress",
  ],
});
