import { problemDetail } from "../data/problem-error.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

interface LoadFailedProps {
  /** What could not be read: 'Your calls'. */
  what: string;
  error: unknown;
  retrying: boolean;
  onRetry: () => void;
}

export function LoadFailed({ what, error, retrying, onRetry }: LoadFailedProps) {
  return (
    <Notice
      title={`${what} could not be loaded`}
      action={
        <Button tone="plain" size="small" busy={retrying} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {problemDetail(error)}
    </Notice>
  );
}
