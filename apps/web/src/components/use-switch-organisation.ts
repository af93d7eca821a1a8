import type { Organisation } from "@leadline/contract/organisations";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { switchOrganisation } from "../data/switch-organisation.ts";

/** Who uses it shows the error where it can be acted upon: a call that is on must be ended first. */
export const useSwitchOrganisation = () =>
  useMutation({
    mutationFn: (organisation: Organisation) => switchOrganisation(organisation.id),
    onSuccess: (_, organisation) => toast.success(`You now act inside ${organisation.name}.`),
  });
