import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { meQuery } from "../../data/me-query.ts";
import { isSignedIn } from "../../data/session.ts";
import { Button } from "../../ui/button.tsx";
import { MessageScreen } from "../message-screen.tsx";

export function AuthErrorScreen() {
  // Stored tokens may have expired. Then the message is true, and logging in helps.
  const me = useQuery({ ...meQuery, enabled: isSignedIn() });
  return (
    <MessageScreen
      title="Auth error! Please login again."
      action={
        me.isLoading ? null : me.data ? (
          <>
            <Button asChild>
              <Link to="/dashboard">Back to the dashboard</Link>
            </Button>
            <Button asChild tone="plain">
              <Link to="/logout" preload={false}>
                Log out
              </Link>
            </Button>
          </>
        ) : (
          <Button asChild>
            <Link to="/login">Login</Link>
          </Button>
        )
      }
    >
      {me.data ? "You are still logged in. If something is refused, log out and log in again." : null}
    </MessageScreen>
  );
}
