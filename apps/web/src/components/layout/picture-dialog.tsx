import { deleteFile, uploadFiles } from "@leadline/contract/files";
import type { User } from "@leadline/contract/users";
import { useMutation } from "@tanstack/react-query";
import { request } from "../../data/api-client.ts";
import { meQuery } from "../../data/me-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Avatar } from "../avatar.tsx";
import { FileDrop } from "../file-drop.tsx";

interface PictureDialogProps {
  me: User;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function PictureDialog({ me, open, onOpenChange }: PictureDialogProps) {
  const changing = useMutation({
    mutationFn: async (file: File | null) => {
      if (file) await request(uploadFiles, { body: { entity: "user", entityId: me.id }, files: [file] });
      else if (me.avatar) await request(deleteFile, { params: { id: me.avatar.split("/").at(-1) ?? "" } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Your picture"
      description="Your colleagues see it beside your name."
    >
      <div className="flex flex-col gap-4">
        <div className="flex items-center gap-4">
          <Avatar user={me} className="size-16 text-xl" />
          {me.avatar ? (
            <Button tone="plain" size="small" disabled={changing.isPending} onClick={() => changing.mutate(null)}>
              Take it away
            </Button>
          ) : null}
        </div>
        <FileDrop
          label="Choose a picture"
          help="PNG, JPEG, GIF or WebP, up to 2 MB."
          accept="image/png,image/jpeg,image/gif,image/webp"
          busy={changing.isPending}
          onFiles={([file]) => file && changing.mutate(file)}
        />
        {changing.isError ? <Notice>{problemDetail(changing.error)}</Notice> : null}
      </div>
    </Dialog>
  );
}
