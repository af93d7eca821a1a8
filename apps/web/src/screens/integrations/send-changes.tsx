import type { CrmServiceDescription, Integration } from "@leadline/contract/integrations";
import { setSendsChanges } from "@leadline/contract/written-leads";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";

interface SendChangesProps {
  integration: Integration;
  service: CrmServiceDescription;
}

/** Saved at once, unlike the mapping. */
export function SendChanges({ integration, service: { name, writingHelp } }: SendChangesProps) {
  const headingId = useId();
  const { queryKey } = integrationsQuery;
  const saving = useMutation({
    mutationFn: (sendsChanges: boolean) =>
      request(setSendsChanges, { params: { id: integration.id }, body: { sendsChanges } }),
    onSuccess: (saved) =>
      queryClient.setQueryData(queryKey, (all) => all?.map((one) => (one.id === saved.id ? saved : one))),
  });
  const shown = saving.isPending ? saving.variables : integration.sendsChanges;
  return (
    <section
      aria-labelledby={headingId}
      className="mb-5 flex flex-col gap-2 rounded-md border border-line bg-panel p-5"
    >
      <h2 id={headingId} className="font-semibold">
        Changes in Leadline
      </h2>
      <Checkbox
        label={`Send changes to ${name}`}
        checked={shown}
        disabled={saving.isPending}
        onChange={(sendsChanges) => saving.mutate(sendsChanges)}
      />
      <p className="text-table text-pretty text-ink-soft">
        When someone here changes a lead’s name, email, phone, company, job title or status, {name} gets the change in
        the field that you mapped. Fields that were changed in {name} meanwhile keep {name}’s value. Earlier changes
        that {name} doesn’t have are sent too.
      </p>
      <p className="text-table text-pretty text-ink-soft">{writingHelp}</p>
      {saving.isError ? <Notice>{problemDetail(saving.error)}</Notice> : null}
    </section>
  );
}
