import { useQuery } from "@tanstack/react-query";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { OrganisationForm } from "../../components/organisation-form.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { meQuery } from "../../data/me-query.ts";

/** The active organisation's own settings. */
export function GeneralScreen() {
  const me = useQuery(meQuery).data;
  if (!me) return null;
  const { activeOrganisation } = me;
  if (!activeOrganisation) return <NoOrganisation title="General" />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="General" lead={`What everybody in ${activeOrganisation.name} shares.`} />
      <OrganisationForm organisation={activeOrganisation} />
    </div>
  );
}
