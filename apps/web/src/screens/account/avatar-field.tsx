import { deleteFile, largestAvatarBytes, uploadFiles } from "@leadline/contract/files";
import type { User } from "@leadline/contract/users";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { toast } from "sonner";
import { Avatar } from "../../components/avatar.tsx";
import { request } from "../../data/api-client.ts";
import { meQuery } from "../../data/me-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { refuseLarger } from "../../data/refuse-larger.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

const readAgain = () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey });

export function AvatarField({ me }: { me: User }) {
  const chooser = useRef<HTMLInputElement>(null);
  const uploading = useMutation({
    mutationFn: async (file: File) => {
      refuseLarger([file], largestAvatarBytes, "Choose a picture under 2 MB.");
      return request(uploadFiles, { body: { entity: "user", entityId: me.id }, files: [file] });
    },
    onSuccess: async () => {
      await readAgain();
      toast.success("Picture updated.");
    },
  });
  const removing = useMutation({
    mutationFn: (avatar: string) => request(deleteFile, { params: { id: avatar.slice(avatar.lastIndexOf("/") + 1) } }),
    onSuccess: readAgain,
  });
  const error = uploading.error ?? removing.error;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-4">
        <Avatar person={me} className="size-16 text-lg" />
        <div className="flex flex-col gap-1.5">
          <div className="flex gap-2">
            <Button tone="plain" size="small" busy={uploading.isPending} onClick={() => chooser.current?.click()}>
              {me.avatar === null ? "Choose a picture" : "Change picture"}
            </Button>
            {me.avatar === null ? null : (
              <Button
                tone="quiet"
                size="small"
                busy={removing.isPending}
                onClick={() => me.avatar && removing.mutate(me.avatar)}
              >
                Remove
              </Button>
            )}
          </div>
          <p className="text-table text-ink-soft">
            PNG, JPEG, GIF or WebP, up to {Math.round(largestAvatarBytes / 2 ** 20)} MB.
          </p>
        </div>
        <input
          ref={chooser}
          type="file"
          accept=".png,.jpg,.jpeg,.gif,.webp"
          aria-label="Your picture"
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            // So that the same file can be chosen again after a refusal.
            event.target.value = "";
            removing.reset();
            if (file) uploading.mutate(file);
          }}
        />
      </div>
      {error ? <Notice>{problemDetail(error)}</Notice> : null}
    </div>
  );
}
