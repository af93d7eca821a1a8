import { downloadFile } from "@leadline/contract/files";
import { queryOptions } from "@tanstack/react-query";
import { requestFile } from "./api-client.ts";

/** A person's picture. It comes with the access token, as no address in an <img> could. */
export const avatarQuery = (avatar: string) =>
  queryOptions({
    queryKey: ["avatar", avatar],
    queryFn: ({ signal }) =>
      requestFile(downloadFile, { params: { id: avatar.slice(avatar.lastIndexOf("/") + 1) } }, { signal }),
    staleTime: Infinity,
  });
