import { eraseAccount } from "@leadline/contract/personal-data";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { forgetPerson } from "../../data/forget-person.ts";

export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { confirmed, dialog } = usePasswordConfirmation();
  return (
    <>
      <ConfirmDialog
        title="Delete your account for good?"
        action="Delete account"
        cancel="Keep"
        run={() => confirmed((currentPassword) => request(eraseAccount, { body: { currentPassword } }))}
        onDone={() => {
          forgetPerson();
          location.replace("/");
        }}
        onClose={onClose}
      >
        <span className="block">
          This can’t be undone. It deletes your name, email, picture, password and sessions, and you leave every
          organisation.
        </span>
        <span className="mt-2 block">
          Calls, notes and files that you made for an organisation belong to it and stay there, as those of a former
          member. Its audit log keeps what you did, without your name and address.
        </span>
      </ConfirmDialog>
      {dialog}
    </>
  );
}
