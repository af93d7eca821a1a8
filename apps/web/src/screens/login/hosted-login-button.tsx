import { useEffect, useState } from "react";
import { readLoginOptions } from "../../data/login-options.ts";
import { noConnectionProblem } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";

/** Loaded on demand, to keep the page small. */
const loadHostedLogin = () =>
  import("../../data/hosted-login.ts").catch(() => {
    throw noConnectionProblem();
  });

/** Renders nothing if the operator hasn't configured a hosted login. */
export function HostedLoginButton({ onProblem }: { onProblem: (error: unknown) => void }) {
  const [name, setName] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    // If the server is down, logging in reports it.
    readLoginOptions().then(
      ({ hostedLogin }) => setName(hostedLogin?.name ?? null),
      () => undefined,
    );
  }, []);
  if (name === null) return null;

  const leave = async () => {
    setLeaving(true);
    try {
      const { startHostedLogin } = await loadHostedLogin();
      location.assign(await startHostedLogin());
    } catch (error) {
      setLeaving(false);
      onProblem(error);
    }
  };

  return (
    <>
      <p className="flex items-center gap-3 text-table text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <Button tone="plain" className="h-10 w-full max-md:h-11" busy={leaving} onClick={() => void leave()}>
        Continue with {name}
      </Button>
    </>
  );
}
