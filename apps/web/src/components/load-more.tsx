import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";

/** Below a list. Nothing once the list is complete. */
export function LoadMore({ list }: { list: UseInfiniteQueryResult }) {
  return list.hasNextPage ? (
    <div className="flex justify-center">
      <Button tone="plain" size="small" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        Load more
      </Button>
    </div>
  ) : null;
}
