import { keepLeadsSeparate, type LeadConflict, mergeLeads, undoLeadMerge } from "@leadline/contract/lead-conflicts";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { leadName } from "../../components/lead-name.ts";
import { request } from "../../data/api-client.ts";
import { leadsKey } from "../../data/leads-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";

const readAgain = () => queryClient.invalidateQueries({ queryKey: leadsKey });

export const useUndoMerge = () =>
  useMutation({
    mutationFn: (id: string) => request(undoLeadMerge, { params: { id } }),
    async onSuccess() {
      await readAgain();
      toast.success("The leads are separate again.");
    },
  });

/** The actions for a conflict. */
export function useConflict({ kind, value, leads }: LeadConflict) {
  const undoing = useMutation({
    mutationFn: (id: string) => request(undoLeadMerge, { params: { id } }),
    // A toast has no other place for the error.
    onError: (error) => toast.error(problemDetail(error)),
    onSuccess: readAgain,
  });
  const merging = useMutation({
    mutationFn: (keepId: string) => {
      const otherIds = leads.flatMap(({ id }) => (id === keepId ? [] : [id]));
      return request(mergeLeads, { body: { keepId, otherIds } });
    },
    async onSuccess({ id, lead, merged }) {
      await readAgain();
      const others = merged === 1 ? "1 lead is" : `${merged} leads are`;
      toast.success(`${others} merged into ${lead ? leadName(lead) : "another"}.`, {
        action: { label: "Undo", onClick: () => undoing.mutate(id) },
      });
    },
  });
  const separating = useMutation({
    mutationFn: () => request(keepLeadsSeparate, { body: { kind, value } }),
    async onSuccess() {
      await readAgain();
      toast.success("Kept separate.");
    },
  });
  return { merging, separating };
}
