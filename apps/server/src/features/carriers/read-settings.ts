import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { z } from "zod";
import { invalidInput, type Issue } from "../../http/read-input.ts";
import { messageForIssue } from "../../http/message-for-issue.ts";
import { type Sealer, Unsealable } from "../../seal-secrets.ts";
import type { StoredCarrier, StoredSettings } from "./carriers.table.ts";

/** The settings that a module's form marks as secret. */
export function secretNames(module: CarrierModule): string[] {
  return Object.entries(module.settings.shape)
    .filter(([, schema]) => z.globalRegistry.get(schema as z.ZodType)?.["secret"] === true)
    .map(([name]) => name);
}

/** Validates the input by the carrier's own schema. The messages are for the person who typed it. */
export function readSettings(module: CarrierModule, given: StoredSettings): StoredSettings {
  const parsed = module.settings.safeParse(given, { error: messageForIssue });
  if (parsed.success) return parsed.data;
  throw invalidInput(issuesOf(parsed.error));
}

export const GivenSettings = z.record(z.string(), z.unknown());
const Given = z.object({ kind: z.string(), settings: GivenSettings });

const issuesOf = (error: z.ZodError | undefined): Issue[] =>
  (error?.issues ?? []).map(({ path, message }) => ({ path: ["settings", ...path], message }));

export const issuesIn = (module: CarrierModule, given: StoredSettings): Issue[] =>
  issuesOf(module.settings.safeParse(given, { error: messageForIssue }).error);

/** Validation errors in a new carrier's settings, for a request that is invalid for other reasons too. */
export function settingsIssues(modules: readonly CarrierModule[], body: unknown): Issue[] {
  const given = Given.safeParse(body).data;
  const module = modules.find(({ id }) => id === given?.kind);
  return given && module ? issuesIn(module, given.settings) : [];
}

export function splitSecrets(
  module: CarrierModule,
  settings: StoredSettings,
): { open: StoredSettings; secrets: StoredSettings } {
  const names = new Set(secretNames(module));
  const isSecret = ([name]: [string, unknown]): boolean => names.has(name);
  const entries = Object.entries(settings);
  return {
    open: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secrets: Object.fromEntries(entries.filter((entry) => isSecret(entry) && entry[1] !== null)),
  };
}

/** Encrypted text that is copied to another row can't be decrypted. */
export const ownerOf = (carrier: { organisationId: string; id: string }): string =>
  `${carrier.organisationId}/${carrier.id}`;

/** Empty if SECRET_KEY has changed since: then they must be entered again. */
export function openSecrets(
  sealer: Sealer,
  carrier: Pick<StoredCarrier, "organisationId" | "id" | "sealed">,
): StoredSettings {
  if (carrier.sealed === null) return {};
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(sealer.open(carrier.sealed, ownerOf(carrier))));
  } catch (error) {
    if (error instanceof Unsealable) return {};
    throw error;
  }
}
