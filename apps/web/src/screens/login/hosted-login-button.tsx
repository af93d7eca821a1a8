import { useEffect, useState } from "react";
import { readLoginOptions } from "../../data/login-options.ts";
import { noConnectionProblem } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";

/** Fetched when it is wanted, so that the page itself stays light. */
const loadHostedLogin = () =>
  import("../../data/hosted-login.ts").catch(() => {
    throw noConnectionProblem();
  });

/** Nothing where the operator set up no hosted login. */
export function HostedLoginButton({ onProblem }: { onProblem: (error: unknown) => void }) {
  const [name, setName] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    // A server that does not answer says so when somebody logs in.
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
