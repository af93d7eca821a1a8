import type { Organisation } from "@leadline/contract/organisations";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { problemDetail } from "../data/problem-error.ts";
import { switchOrganisation } from "../data/switch-organisation.ts";

export const useSwitchOrganisation = () =>
  useMutation({
    mutationFn: (organisation: Organisation) => switchOrganisation(organisation.id),
    onSuccess: (_, organisation) => toast.success(`You now act inside ${organisation.name}.`),
    onError: (error) => toast.error(problemDetail(error)),
  });
