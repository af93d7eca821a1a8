import { Link } from "@tanstack/react-router";
import { isSignedIn } from "../data/session.ts";
import { Button } from "../ui/button.tsx";
import { MessageScreen } from "./message-screen.tsx";

export function NotFoundScreen() {
  return (
    <main className="min-h-dvh">
      <MessageScreen
        title="No bottom here"
        action={
          <Button asChild>
            {isSignedIn() ? <Link to="/dashboard">Back to the dashboard</Link> : <Link to="/">Back to the start</Link>}
          </Button>
        }
      >
        There is no page at this address. It may have moved, or the link may be wrong.
      </MessageScreen>
    </main>
  );
}
