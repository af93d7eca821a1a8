import { Notice } from "../ui/notice.tsx";
import { PageHeader } from "./page-header.tsx";

/** For a screen that only changes things, opened by its address. */
export function ReadOnlyScreen({ title }: { title: string }) {
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title={title} />
      <Notice tone="brass">You have read-only access. Ask an admin to make you a member.</Notice>
    </div>
  );
}
