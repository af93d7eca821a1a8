import type { OrganisationDeps } from "../features/organisations/change-organisation.ts";
import { orderRereading } from "../features/leads/numbers/reread-numbers.ts";
import { keepCountry } from "../features/limits/limits.table.ts";

/** What each feature does when an organisation’s default country changes. */
export const onCountryChanged =
  (rereading: Parameters<typeof orderRereading>[1]): OrganisationDeps["onCountryChanged"] =>
  async (tx, { organisationId, before }) => {
    // This change needs no password, so it must not widen where calls may go.
    await keepCountry(tx, organisationId, before);
    await orderRereading(tx, rereading, organisationId);
  };
