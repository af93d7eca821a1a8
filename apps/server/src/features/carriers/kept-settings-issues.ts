import { IdParams } from "@leadline/contract/identifiers";
import { z } from "zod";
import type { Issue } from "../../http/read-input.ts";
import type { RefusedInput } from "../../http/route.ts";
import type { CarrierDeps } from "./carrier-deps.ts";
import { selectCarriers } from "./carriers.table.ts";
import { GivenSettings, issuesIn, openSecrets } from "./read-settings.ts";

const Given = z.object({ settings: GivenSettings });

/** Validation errors in a stored carrier's new settings, for a request that is invalid for other reasons too. */
export async function keptSettingsIssues(deps: CarrierDeps, { caller, params, body }: RefusedInput): Promise<Issue[]> {
  const { id: carrierId } = IdParams.safeParse(params).data ?? {};
  const given = Given.safeParse(body).data;
  if (!caller?.organisation || !carrierId || !given) return [];
  const { userId, organisation } = caller;
  const organisationId = organisation.id;
  const [stored] = await deps.database.withTransaction({ userId, organisationId }, (tx) =>
    selectCarriers(tx, { organisationId, carrierId }),
  );
  const module = deps.modules.find((one) => one.id === stored?.kind);
  return stored && module ? issuesIn(module, { ...openSecrets(deps.sealer, stored), ...given.settings }) : [];
}
