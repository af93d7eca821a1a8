import { endpoint } from "./endpoint.ts";
import { Id, IdParams } from "./identifiers.ts";
import { SyncRun } from "./integrations.ts";

export const retrySyncRun = endpoint({
  method: "POST",
  path: "/v1/integrations/{id}/syncs/{runId}/retry",
  summary:
    "Start a sync that first reads the listed records again that could not become leads; if one is running, it is returned",
  access: "member",
  audit: "integration.sync-started",
  params: IdParams.extend({ runId: Id }),
  success: [201, SyncRun],
  problems: ["not-found", "integration-not-connected", "source-not-chosen"],
});
