import { readInvitationLink } from "@leadline/contract/members";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import type { RefusalHandlers } from "../../components/use-refusal.ts";
import { request } from "../../data/api-client.ts";

/**
 * `uncopied`: the link, if the page isn't allowed to copy, for the user to copy it manually. `dialog`: asks for the
 * password that an admin's link takes, outside of other dialogs.
 */
export function useCopyInvitationLink({ id, email }: { id: string; email: string }, refusalHandlers: RefusalHandlers) {
  const { confirmed, dialog } = usePasswordConfirmation();
  const copying = useMutation({
    async mutationFn() {
      const { url } = await confirmed((currentPassword) =>
        request(readInvitationLink, { params: { id }, body: { currentPassword } }),
      );
      try {
        // Missing on plain-http origins.
        await navigator.clipboard.writeText(url);
        return null;
      } catch {
        return url;
      }
    },
    onSuccess: (uncopied) => {
      if (uncopied === null) toast.success(`Link for ${email} copied. It works once.`);
    },
    ...refusalHandlers,
  });
  return {
    copy: () => copying.mutate(),
    isCopying: copying.isPending,
    isCopied: copying.data === null,
    uncopied: copying.data ?? null,
    forget: copying.reset,
    dialog,
  };
}
