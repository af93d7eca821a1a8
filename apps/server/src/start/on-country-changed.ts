import type { OrganisationDeps } from "../features/organisations/change-organisation.ts";
import { orderRereading } from "../features/leads/reread-numbers.ts";
import { keepAllowedCountry } from "../features/limits/keep-allowed-country.ts";

/** What each feature does when an organisation’s default country changes. */
export const onCountryChanged =
  (rereading: Parameters<typeof orderRereading>[1]): OrganisationDeps["onCountryChanged"] =>
  async (tx, { organisationId, before }) => {
    await keepAllowedCountry(tx, organisationId, before);
    await orderRereading(tx, rereading, organisationId);
  };
