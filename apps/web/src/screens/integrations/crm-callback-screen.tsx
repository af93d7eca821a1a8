import { type CrmServiceDescription, finishServiceLogin } from "@leadline/contract/integrations";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { request } from "../../data/api-client.ts";
import { crmServicesQuery, integrationsQuery } from "../../data/integrations-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { MessageScreen } from "../message-screen.tsx";
import { NotFoundScreen } from "../not-found-screen.tsx";

const redirectAfterMs = 5_000;

type Outcome = { is: "waiting" } | { is: "connected"; label: string } | { is: "failed"; reason: string };

/**
 * The page a CRM redirects to. Its response works once, so it is removed from the address bar, and the page from the
 * history: Back would only find a used response. A reload shows the result.
 */
export function CrmCallbackScreen() {
  const { service } = useParams({ strict: false });
  const services = useQuery(crmServicesQuery);
  if (services.isPending) return <Waiting title="CRM callback" />;
  if (services.isError) return <LoadFailed what="The list of CRMs" query={services} />;
  const known = services.data.find((one) => one.service === service);
  return known === undefined ? <NotFoundScreen /> : <Callback crm={known} />;
}

const Waiting = ({ title }: { title: string }) => (
  <div role="status" className="flex min-h-[50dvh] items-center justify-center gap-3 text-ink-soft">
    <Spinner className="size-6 text-brand" />
    <h1>{title}</h1>
  </div>
);

function Callback({ crm }: { crm: CrmServiceDescription }) {
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<Outcome>({ is: "waiting" });
  const [answer] = useState(() => new URLSearchParams(location.search));

  useEffect(() => {
    let isShown = true;
    void finishOnce(answer, crm).then((finished) => isShown && setOutcome(finished));
    return () => {
      isShown = false;
    };
  }, [answer, crm]);

  const isWaiting = outcome.is === "waiting";
  useEffect(() => {
    if (isWaiting) return;
    const timer = setTimeout(() => void navigate({ to: "/integrations", replace: true }), redirectAfterMs);
    return () => clearTimeout(timer);
  }, [isWaiting, navigate]);

  if (outcome.is === "waiting") return <Waiting title={`${crm.name} callback`} />;
  const redirectNow = (
    <Button asChild tone="plain">
      <Link to="/integrations" replace>
        Go now
      </Link>
    </Button>
  );
  return outcome.is === "connected" ? (
    <MessageScreen title="Success! Redirecting..." action={redirectNow}>
      <span role="status">
        {outcome.label} is connected.{" "}
        {crm.choosesSource ? "Next, choose where its leads are." : "Select Sync to import its leads."}
      </span>
    </MessageScreen>
  ) : (
    <MessageScreen title="Failure, redirecting... " action={redirectNow}>
      <span role="alert">{outcome.reason}</span>
    </MessageScreen>
  );
}

const asked = new Map<string, Promise<Outcome>>();

/** Once, even if the page renders again: a code can only be exchanged once. */
function finishOnce(answer: URLSearchParams, crm: CrmServiceDescription): Promise<Outcome> {
  const key = answer.toString();
  const finishing = asked.get(key) ?? finish(answer, crm);
  asked.set(key, finishing);
  return finishing;
}

async function finish(answer: URLSearchParams, { service, name }: CrmServiceDescription): Promise<Outcome> {
  const code = answer.get("code");
  const state = answer.get("state");
  if (answer.has("error")) {
    leaveAddress({});
    return { is: "failed", reason: `Access to ${name} was denied. Nothing has changed.` };
  }
  if (!code || !state) {
    const label = readConnected();
    if (label !== null) return { is: "connected", label };
    return {
      is: "failed",
      reason: `${name} redirects here after you log in. To start, select Connect on the integrations page.`,
    };
  }
  try {
    const { label } = await request(finishServiceLogin, { params: { service }, body: { code, integrationId: state } });
    void queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
    leaveAddress({ connected: label });
    return { is: "connected", label };
  } catch (error) {
    leaveAddress({});
    return { is: "failed", reason: problemDetail(error) };
  }
}

/** The browser stores it with this history entry, even across a reload. */
const leaveAddress = (kept: { connected?: string }): void =>
  window.history.replaceState({ ...window.history.state, ...kept }, "", location.pathname);
const readConnected = (): string | null => window.history.state?.connected ?? null;
