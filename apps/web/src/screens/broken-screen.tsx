import { Button } from "../ui/button.tsx";
import { MessageScreen } from "./message-screen.tsx";

/** Shown when a screen threw, or its code couldn't be loaded (a new version was deployed, or the network is down). */
export function BrokenScreen() {
  return (
    <main>
      <MessageScreen
        title="This page couldn’t be loaded"
        action={<Button onClick={() => location.reload()}>Reload the page</Button>}
      >
        Leadline may have been updated, or your connection was lost. Reload to get the latest version.
      </MessageScreen>
    </main>
  );
}
