import { downloadFile } from "@leadline/contract/files";
import type { User } from "@leadline/contract/users";
import { useQuery } from "@tanstack/react-query";
import { requestFile } from "../data/api-client.ts";
import { classNames } from "../ui/class-names.ts";

interface AvatarProps {
  user: Pick<User, "firstName" | "lastName" | "avatar">;
  className?: string;
}

/** The person's picture, or their initials. An image's address cannot carry the token, so the picture is fetched. */
export function Avatar({ user, className }: AvatarProps) {
  const fileId = user.avatar?.split("/").at(-1);
  // A file never changes, so its address stays good for as long as the page is open.
  const { data: address } = useQuery({
    queryKey: ["avatars", fileId],
    queryFn: async ({ signal }) =>
      URL.createObjectURL(await requestFile(downloadFile, { params: { id: fileId ?? "" } }, { signal })),
    enabled: fileId !== undefined,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  });
  return (
    <span
      aria-hidden="true"
      className={classNames(
        "grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-brand text-xs font-semibold text-on-brand",
        className,
      )}
    >
      {fileId !== undefined && address ? (
        <img src={address} alt="" className="size-full object-cover" />
      ) : (
        initialsOf(user)
      )}
    </span>
  );
}

export const initialsOf = ({ firstName, lastName }: AvatarProps["user"]): string =>
  `${firstName.charAt(0)}${lastName.charAt(0)}`.toUpperCase();
