import { readNewMessages, readVoicemailSettings } from "@leadline/contract/voicemail";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./api-client.ts";

export const voicemailSettingsQuery = queryOptions({
  queryKey: ["voicemail"],
  queryFn: ({ signal }) => request(readVoicemailSettings, {}, { signal }),
});

export const newMessagesQuery = queryOptions({
  queryKey: ["new-messages"],
  queryFn: ({ signal }) => request(readNewMessages, {}, { signal }),
});
