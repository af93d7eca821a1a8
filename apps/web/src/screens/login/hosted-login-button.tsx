import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { startHostedLogin } from "../../data/hosted-login.ts";
import { loginOptionsQuery } from "../../data/login-options.ts";
import { Button } from "../../ui/button.tsx";

/** Nothing where the operator set up no hosted login. */
export function HostedLoginButton({ onProblem }: { onProblem: (error: unknown) => void }) {
  const { data } = useQuery(loginOptionsQuery);
  const [leaving, setLeaving] = useState(false);
  if (!data?.hostedLogin) return null;

  const leave = async () => {
    setLeaving(true);
    try {
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
        Continue with {data.hostedLogin.name}
      </Button>
    </>
  );
}
