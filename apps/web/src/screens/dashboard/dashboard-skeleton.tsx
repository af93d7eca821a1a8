import { Skeleton } from "../../ui/skeleton.tsx";

export function DashboardSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-6">
      <output className="sr-only">Loading your figures</output>
      <div className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-4">
        {["Calls", "Connect rate", "Talk time", "Average set-up"].map((label) => (
          <div key={label} className="flex flex-col gap-2 bg-panel px-4 py-4 md:px-5">
            <span className="text-table text-ink-soft">{label}</span>
            <Skeleton className="h-7 w-16" />
            <Skeleton className="h-3 w-24" />
          </div>
        ))}
      </div>
      <div className="grid gap-6 lg:grid-cols-3">
        <Skeleton className="h-64 rounded-md lg:col-span-2" />
        <Skeleton className="h-64 rounded-md" />
      </div>
    </div>
  );
}
