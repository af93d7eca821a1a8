import { createLead } from "@leadline/contract/leads";
import { Link, useNavigate } from "@tanstack/react-router";
import { toast } from "sonner";
import { LeadForm } from "../../components/lead-form.tsx";
import { leadName } from "../../components/lead-name.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { request } from "../../data/api-client.ts";
import { leadsKey } from "../../data/leads-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";

export function NewLeadScreen() {
  const navigate = useNavigate();
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="New lead" lead="Somebody to call. Your whole organisation sees them." />
      <LeadForm
        onSave={async (fields) => {
          const lead = await request(createLead, { body: fields });
          await queryClient.invalidateQueries({ queryKey: leadsKey });
          toast.success(`${leadName(lead)} is in your leads.`);
          await navigate({ to: "/leads" });
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
