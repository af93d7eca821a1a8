import { downloadFile } from "@leadline/contract/files";
import { queryOptions } from "@tanstack/react-query";
import { requestFile } from "./api-client.ts";

/** A user's picture. It is fetched with the access token, which an address in an <img> can't carry. */
export const avatarQuery = (avatar: string) =>
  queryOptions({
    queryKey: ["avatar", avatar],
    queryFn: ({ signal }) =>
      requestFile(downloadFile, { params: { id: avatar.slice(avatar.lastIndexOf("/") + 1) } }, { signal }),
    staleTime: Infinity,
  });
