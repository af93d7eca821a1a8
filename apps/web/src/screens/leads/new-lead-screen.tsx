import { createLead } from "@leadline/contract/leads";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { toast } from "sonner";
import { textLinkLook } from "../../components/auth-card.tsx";
import { LeadForm } from "../../components/lead-form.tsx";
import { leadName } from "../../components/lead-name.ts";
import { useIsHere } from "../../components/use-is-here.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { ReadOnlyScreen } from "../../components/read-only-screen.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { callsKey } from "../../data/calls-query.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { request } from "../../data/api-client.ts";
import { leadsKey } from "../../data/leads-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";

export function NewLeadScreen() {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const { phone } = useSearch({ from: "/signed-in/leads/new" });
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title="New lead" />;
  if (organisation.role === "analyst") return <ReadOnlyScreen title="New lead" />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="New lead"
        lead={
          <>
            Visible to your whole organisation. Have many?{" "}
            <Link to="/leads/import" className={textLinkLook}>
              Import a CSV file
            </Link>
          </>
        }
      />
      <LeadForm
        {...(phone !== undefined && { phone: formatPhoneNumber(phone) })}
        onSave={async (fields) => {
          const lead = await request(createLead, { body: fields });
          await queryClient.invalidateQueries({ queryKey: leadsKey });
          // Calls with this number now have a lead.
          void queryClient.invalidateQueries({ queryKey: callsKey });
          toast.success(`${leadName(lead)} added to your leads.`);
          if (isHere()) await navigate({ to: "/leads", ignoreBlocker: true });
        }}
        saveLabel="Add lead"
        cancel={
          <Button asChild tone="quiet">
            <Link to="/leads">Cancel</Link>
          </Button>
        }
      />
    </div>
  );
}
