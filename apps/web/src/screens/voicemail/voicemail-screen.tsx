import { updateVoicemailSettings } from "@leadline/contract/voicemail";
import { useQuery } from "@tanstack/react-query";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { may } from "../../components/may.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { voicemailSettingsQuery } from "../../data/voicemail-query.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VoicemailForm } from "./voicemail-form.tsx";

export function VoicemailScreen() {
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title="Voicemail" />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Voicemail"
        lead={`Answers calls to ${organisation.name} when no one else does. Find messages under Calls.`}
      />
      <Settings mayChange={may(organisation.role, updateVoicemailSettings)} />
    </div>
  );
}

function Settings({ mayChange }: { mayChange: boolean }) {
  const settings = useQuery(voicemailSettingsQuery);
  if (settings.data) return <VoicemailForm settings={settings.data} mayChange={mayChange} />;
  if (settings.isError) return <LoadFailed what="The voicemail’s settings" query={settings} />;
  return (
    <div role="status" aria-label="Loading the voicemail’s settings" className="flex max-w-[440px] flex-col gap-6">
      {["on", "ring", "greeting", "keep"].map((part) => (
        <Skeleton key={part} className="h-9 w-full" />
      ))}
    </div>
  );
}
