import { useEffect } from "react";
import { LoadingScreen } from "../loading-screen.tsx";
import { finishHostedLogin } from "./finish-hosted-login.ts";

/** Where the hosted login sends the browser back to. */
export function OAuth2Screen() {
  useEffect(() => {
    finishing ??= finishHostedLogin(location.search).then((path) => location.replace(path));
  }, []);
  return <LoadingScreen />;
}

/** One for the page: what came back works once. */
let finishing: Promise<void> | null = null;
