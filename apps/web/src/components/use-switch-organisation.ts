import type { Organisation } from "@leadline/contract/organisations";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { switchOrganisation } from "../data/switch-organisation.ts";
import { unsavedForms } from "./unsaved-forms.ts";

/**
 * Asks first if a half-filled form would be lost. The caller shows an error where the user can act on it: a live call
 * must be ended first.
 */
export function useSwitchOrganisation() {
  const switching = useMutation({
    mutationFn: (organisation: Organisation) => switchOrganisation(organisation.id),
    onSuccess: (_, organisation) => toast.success(`Switched to ${organisation.name}.`),
  });
  const mutate: typeof switching.mutate = (...wanted) =>
    void unsavedForms.maySwitch().then((goOn) => goOn && switching.mutate(...wanted));
  return { ...switching, mutate };
}
