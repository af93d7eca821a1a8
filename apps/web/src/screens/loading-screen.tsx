import { Spinner } from "../ui/spinner.tsx";

/** Shown while the browser is redirected to or from the hosted login. */
export function LoadingScreen() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-3 pb-24 text-ink-soft">
      <Spinner className="size-6 text-brand" />
      <div role="status">
        <h1>...Loading</h1>
      </div>
    </main>
  );
}
