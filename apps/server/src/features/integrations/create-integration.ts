import { randomUUID } from "node:crypto";
import type { CreateIntegrationInput, Integration } from "@leadline/contract/integrations";
import type { z } from "zod";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { announceIntegration } from "./find-integration.ts";
import type { IntegrationDeps } from "./integration-deps.ts";
import type { OpenCrm } from "./open-crms.ts";
import { insertIntegration, lockIntegrations, selectIntegrations } from "./integrations.table.ts";
import { toCrmProblem } from "./to-crm-problem.ts";

/** Per organisation. */
const maxIntegrations = 20;

/** Inactive until it is connected. */
export async function createIntegration(
  deps: IntegrationDeps,
  caller: Member,
  given: z.output<typeof CreateIntegrationInput>,
): Promise<Integration> {
  const organisationId = caller.organisation.id;
  const integrationId = randomUUID();
  const { service, label } = given;
  const opened = deps.crms.find(service);
  if (opened === null) throw invalidInput([{ path: ["service"], message: "Please select a service." }]);
  const workspace = readWorkspace(opened, given.workspaceDomain ?? "");
  // It could not be connected, and names no account that could be connected later.
  if (workspace === null && opened.crm.notRegistered !== null)
    throw new Problem("crm-not-available", opened.crm.notRegistered);
  return deps.database.withTransaction({ userId: caller.userId, organisationId }, async (tx) => {
    await lockIntegrations(tx, organisationId);
    if ((await selectIntegrations(tx, organisationId)).length >= maxIntegrations)
      throw new Problem(
        "quota-reached",
        `Your organisation has ${maxIntegrations} integrations, which is the limit. Delete one you no longer need.`,
      );
    await insertIntegration(tx, { id: integrationId, organisationId, label, service, workspace });
    return announceIntegration(tx, { organisationId, integrationId });
  });
}

/** Null if the service has one address for all customers. */
function readWorkspace({ crm }: OpenCrm, typed: string): string | null {
  try {
    return crm.readWorkspace(typed);
  } catch (error) {
    throw toCrmProblem(error);
  }
}
