import { downloadFile, type StoredFile } from "@leadline/contract/files";
import { useMutation } from "@tanstack/react-query";
import { requestFile } from "../data/api-client.ts";
import { saveFile } from "../data/save-file.ts";

export const useDownloadFile = (file: Pick<StoredFile, "id" | "name">) =>
  useMutation({
    mutationFn: () => requestFile(downloadFile, { params: { id: file.id } }),
    onSuccess: (content) => saveFile(content, file.name),
  });
