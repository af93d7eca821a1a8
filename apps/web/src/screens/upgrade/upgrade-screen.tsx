import { Link } from "@tanstack/react-router";
import { version } from "../../../package.json";
import { textLinkLook } from "../../components/auth-card.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SettingsPart } from "../../components/settings-part.tsx";

/** There are no plans to upgrade to. What can be upgraded is the software. */
export function UpgradeScreen() {
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Upgrade" lead="Leadline has no plans or paid features. You have everything." />
      <SettingsPart title="Your version" lead="The version this server runs.">
        <div className="flex flex-col gap-2 text-sm text-pretty">
          <p className="text-lg font-semibold tabular-nums">Leadline {version}</p>
          <p className="text-ink-soft">
            No limit on people, organisations, leads or calls, except the call limits your organisation sets under{" "}
            <Link to="/settings/limits" className={textLinkLook}>
              Limits
            </Link>
            .
          </p>
        </div>
      </SettingsPart>
      <SettingsPart title="A newer version" lead="For the administrator of this server.">
        <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm text-pretty marker:text-ink-soft">
          <li>
            Stop Leadline and copy its data folder. Keep the copy to go back: a newer version changes the database when
            it starts.
          </li>
          <li>
            Bring the code and what it needs up to date:
            <pre className="mt-1.5 overflow-x-auto rounded-md border border-line bg-sunk px-3 py-2 font-mono text-table">
              <code>{"git pull\nnpm ci"}</code>
            </pre>
          </li>
          <li>
            Start Leadline. Everyone stays logged in. Live calls end, except SIP trunk calls on rtpengine servers.
          </li>
        </ol>
      </SettingsPart>
    </div>
  );
}
