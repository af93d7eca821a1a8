import * as contract from "@leadline/contract/files";
import { type Route, route } from "../../http/route.ts";
import { deleteFile } from "./delete-file.ts";
import type { FileDeps } from "./file-deps.ts";
import { downloadFile, listFiles } from "./read-files.ts";
import { refuseWithoutRoom, uploadFiles } from "./upload-files.ts";

export function fileRoutes(deps: FileDeps): Route[] {
  return [
    route(contract.uploadFiles, ({ caller, body, files }) => uploadFiles(deps, { caller, fields: body, files }), {
      beforeFiles: (caller, bytes) => refuseWithoutRoom(deps, caller, bytes),
    }),
    route(contract.listFiles, ({ caller, query }) => listFiles(deps, { caller, query })),
    route(contract.downloadFile, ({ caller, params }) => downloadFile(deps, caller, params.id)),
    route(contract.deleteFile, async ({ caller, params }) => {
      await deleteFile(deps, caller, params.id);
      return undefined;
    }),
  ];
}
