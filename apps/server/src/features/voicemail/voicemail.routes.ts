import * as contract from "@leadline/contract/voicemail";
import { type Route, route } from "../../http/route.ts";
import { playGreeting } from "./greeting/play-greeting.ts";
import { uploadGreeting } from "./greeting/upload-greeting.ts";
import { deleteVoicemail, markVoicemail, playVoicemail, readNewMessages } from "./messages.ts";
import { changeVoicemailSettings, readVoicemailSettings } from "./settings.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";

export function voicemailRoutes(deps: VoicemailDeps): Route[] {
  return [
    route(contract.readVoicemailSettings, ({ caller }) => readVoicemailSettings(deps, caller)),
    route(contract.updateVoicemailSettings, ({ caller, body }) => changeVoicemailSettings(deps, caller, body)),
    route(contract.uploadGreeting, ({ caller, files, gone }) => uploadGreeting(deps, { caller, files, gone })),
    route(contract.playGreeting, ({ caller, params }) => playGreeting(deps, { caller, greetingId: params.greetingId })),
    route(contract.readNewMessages, ({ caller }) => readNewMessages(deps, caller)),
    route(contract.playVoicemail, ({ caller, params }) => playVoicemail(deps, { caller, callSid: params.callSid })),
    route(contract.markVoicemail, ({ caller, params, body }) =>
      markVoicemail(deps, { caller, callSid: params.callSid, heard: body.heard }),
    ),
    route(contract.deleteVoicemail, async ({ caller, params }) => {
      await deleteVoicemail(deps, { caller, callSid: params.callSid });
      return undefined;
    }),
  ];
}
