import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MonitorSmartphone } from "lucide-react";
import { PageHeader } from "../../components/page-header.tsx";
import { SettingsPart } from "../../components/settings-part.tsx";
import { meQuery } from "../../data/me-query.ts";
import { Button } from "../../ui/button.tsx";
import { AvatarField } from "./avatar-field.tsx";
import { EmailForm } from "./email-form.tsx";
import { OwnData } from "./own-data.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";

export function AccountScreen() {
  const me = useQuery(meQuery).data;
  if (!me) return null;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Account"
        lead="Your details in every organisation."
        action={
          <Button asChild tone="plain">
            <Link to="/settings/sessions">
              <MonitorSmartphone aria-hidden="true" /> Sessions
            </Link>
          </Button>
        }
      />
      <SettingsPart title="Profile" lead="What your colleagues see.">
        <AvatarField me={me} />
        <ProfileForm key={`${me.firstName} ${me.lastName}`} me={me} />
      </SettingsPart>
      <SettingsPart title="Email" lead="Used to log in and to reset your password.">
        <EmailForm key={me.email} me={me} />
      </SettingsPart>
      <SettingsPart title="Password" lead="Changing it logs you out of all other sessions.">
        <PasswordForm me={me} />
      </SettingsPart>
      <SettingsPart title="Your data" lead="Download what is stored about you, or delete your account.">
        <OwnData />
      </SettingsPart>
    </div>
  );
}
