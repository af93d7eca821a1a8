import { largestFileBytes, uploadFiles } from "@leadline/contract/files";
import { useMutation } from "@tanstack/react-query";
import { request } from "./api-client.ts";
import { leadFilesQuery } from "./leads-query.ts";
import { problemDetail } from "./problem-error.ts";
import { queryClient } from "./query-client.ts";
import { refuseLarger } from "./refuse-larger.ts";

export interface Uploaded {
  chosen: number;
  refused: readonly { name: string; why: string }[];
}

/** Files are uploaded separately, so that a refused one doesn't block the others; returns the refused ones. */
export function useUploadToLead(leadId: string, onUploaded: (uploaded: Uploaded) => void) {
  const { queryKey } = leadFilesQuery(leadId);
  return useMutation({
    async mutationFn(chosen: readonly File[]): Promise<Uploaded> {
      const refused: { name: string; why: string }[] = [];
      for (const file of chosen) {
        try {
          refuseLarger([file], largestFileBytes, `“${file.name}” wasn’t uploaded. It’s larger than 10 MB.`);
          const added = await request(uploadFiles, { body: { entity: "lead", entityId: leadId }, files: [file] });
          queryClient.setQueryData(queryKey, (before) => [...added, ...(before ?? [])]);
        } catch (error) {
          refused.push({ name: file.name, why: problemDetail(error) });
        }
      }
      return { chosen: chosen.length, refused };
    },
    onSuccess: onUploaded,
  });
}
