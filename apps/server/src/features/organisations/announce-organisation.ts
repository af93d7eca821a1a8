import type { Organisation } from "@leadline/contract/organisations";
import type { Tx } from "../../db/transaction.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";

/** Its name, its settings or its people have changed: every tab reads again what it shows of it. */
export async function announceOrganisation(tx: Tx, organisation: Organisation): Promise<void> {
  const { role: _, ...data } = organisation;
  await publishLiveEvent(tx, { organisationId: organisation.id, type: "organisation.updated", data });
}
