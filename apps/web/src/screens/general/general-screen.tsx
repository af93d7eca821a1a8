import { NoOrganisation } from "../../components/no-organisation.tsx";
import { OrganisationForm } from "../../components/organisation-form.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";

/** The settings of the active organisation. */
export function GeneralScreen() {
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title="General" />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="General" lead={`Settings that everyone in ${organisation.name} shares.`} />
      <OrganisationForm key={organisation.id} organisation={organisation} />
    </div>
  );
}
