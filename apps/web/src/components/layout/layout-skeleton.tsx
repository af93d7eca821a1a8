import { Spinner } from "../../ui/spinner.tsx";

/** The frame before the user is known. */
export function LayoutSkeleton() {
  return (
    <div className="flex min-h-dvh">
      <div className="hidden w-58 border-r border-line bg-sunk md:block" />
      <div className="flex flex-1 flex-col">
        <div className="h-14 border-b border-line" />
        <main className="grid flex-1 place-items-center pb-14 text-brand">
          <Spinner label="Loading" className="size-8" />
        </main>
      </div>
    </div>
  );
}
