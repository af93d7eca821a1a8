import { Link } from "@tanstack/react-router";
import { version } from "../../../package.json";
import { textLinkLook } from "../../components/auth-card.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SettingsPart } from "../../components/settings-part.tsx";

/** There are no plans to move up to: what can be upgraded is the software. */
export function UpgradeScreen() {
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Upgrade" lead="Leadline has no plans and no paid features. You have all of it." />
      <SettingsPart title="Your version" lead="What this server runs.">
        <div className="flex flex-col gap-2 text-sm text-pretty">
          <p className="text-lg font-semibold tabular-nums">Leadline {version}</p>
          <p className="text-ink-soft">
            As many people, organisations, leads and calls as the server carries. What holds calls back is set by your
            organisation, under{" "}
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
            Stop Leadline and copy its data folder. The copy is the way back: a newer version changes the database when
            it starts.
          </li>
          <li>
            Bring the code and what it needs up to date:
            <pre className="mt-1.5 overflow-x-auto rounded-md border border-line bg-sunk px-3 py-2 font-mono text-table">
              <code>{"git pull\nnpm ci"}</code>
            </pre>
          </li>
          <li>
            Start it. Everybody stays logged in; calls that were on have ended, but for those that rtpengines carry for
            a trunk.
          </li>
        </ol>
      </SettingsPart>
    </div>
  );
}
