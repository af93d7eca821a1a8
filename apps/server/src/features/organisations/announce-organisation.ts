import type { Organisation } from "@leadline/contract/organisations";
import type { Tx } from "../../db/transaction.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";

/** Tells every tab to refetch the organisation, because its name, settings or members have changed. */
export async function announceOrganisation(tx: Tx, organisation: Organisation): Promise<void> {
  const { role: _, ...data } = organisation;
  await publishLiveEvent(tx, { organisationId: organisation.id, type: "organisation.updated", data });
}
