import { problemDetail } from "../data/problem-error.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

interface Query {
  data: unknown;
  error: unknown;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

interface LoadFailedProps {
  /** What could not be loaded: 'Your calls'. */
  what: string;
  /** With several, all are reloaded, and the first that failed gives the reason. */
  query: Query | readonly Query[];
}

export function LoadFailed({ what, query }: LoadFailedProps) {
  const queries = [query].flat();
  const failed = queries.find(({ data, error }) => error !== null && data === undefined) ?? queries[0];
  return (
    <Notice
      title={`${what} couldn’t be loaded`}
      action={
        <Button
          tone="plain"
          size="small"
          busy={queries.some(({ isFetching }) => isFetching)}
          onClick={() => void Promise.all(queries.map(({ refetch }) => refetch()))}
        >
          Try again
        </Button>
      }
    >
      {problemDetail(failed?.error)}
    </Notice>
  );
}
