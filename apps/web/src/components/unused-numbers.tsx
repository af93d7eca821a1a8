import { adoptNumber, type UnusedNumber } from "@leadline/contract/number-orders";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { request } from "../data/api-client.ts";
import { phoneNumbersKey, unusedNumbersQuery } from "../data/phone-numbers-query.ts";
import { problemDetail } from "../data/problem-error.ts";
import { Button } from "../ui/button.tsx";
import { CheckboxAlone } from "../ui/checkbox.tsx";
import { Notice } from "../ui/notice.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { formatPhoneNumber } from "./format-phone-number.ts";

interface UnusedNumbersProps {
  accountId: string;
  /** The carrier's. */
  name: string;
}

function toggled(all: ReadonlySet<string>, one: string): ReadonlySet<string> {
  const next = new Set(all);
  if (!next.delete(one)) next.add(one);
  return next;
}

const countOf = (count: number): string => (count === 1 ? "1 number" : `${count} numbers`);

/** What the account has and nobody uses here, to use here with one click. Shows nothing if there is nothing. */
export function UnusedNumbers({ accountId, name }: UnusedNumbersProps) {
  const client = useQueryClient();
  const unused = useQuery(unusedNumbersQuery(accountId));
  const [unlike, setUnlike] = useState<ReadonlySet<string>>(new Set());
  const [asks, setAsks] = useState(false);
  const adopting = useMutation({
    mutationFn: (chosen: readonly UnusedNumber[]) => adopt(accountId, chosen),
    onSuccess: ({ adopted, failures }) => {
      if (adopted > 0) toast.success(`${countOf(adopted)} ${adopted === 1 ? "rings" : "ring"} here now.`);
      if (failures.length === 0) setUnlike(new Set());
    },
    onSettled: () =>
      Promise.all(
        [phoneNumbersKey, unusedNumbersQuery(accountId).queryKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
  const numbers = unused.data ?? [];
  // Free ones are chosen at first. One that is used elsewhere is moved only if someone chooses it.
  const isChosen = ({ number, use }: UnusedNumber) => (use === null) !== unlike.has(number);
  const chosen = numbers.filter(isChosen);
  const moved = chosen.filter(({ use }) => use !== null).map(({ number }) => formatPhoneNumber(number));
  const failures = adopting.data?.failures ?? [];
  if (unused.isError && !unused.data)
    return (
      <p className="text-sm text-pretty text-ink-soft">
        The account’s own numbers can’t be shown: {problemDetail(unused.error)}
      </p>
    );
  if (numbers.length === 0 && failures.length === 0) return null;
  return (
    <section
      aria-label={`Numbers at ${name}`}
      className="flex flex-col items-start gap-3 rounded-md border border-brass/40 bg-brass-wash px-4 py-3 text-sm"
    >
      {failures.map((failure) => (
        <Notice key={failure}>{failure}</Notice>
      ))}
      {numbers.length > 0 ? (
        <>
          <p className="text-pretty">
            <span className="font-semibold">
              {countOf(numbers.length)} at {name} {numbers.length === 1 ? "isn’t" : "aren’t"} used here.
            </span>{" "}
            Use {numbers.length === 1 ? "it" : "them"} without buying again.
          </p>
          <ul className="flex max-h-72 w-full flex-col divide-y divide-line overflow-y-auto">
            {numbers.map((each) => (
              <li key={each.number} className="flex items-center gap-3 py-2">
                <CheckboxAlone
                  label={formatPhoneNumber(each.number)}
                  checked={isChosen(each)}
                  onChange={() => setUnlike(toggled(unlike, each.number))}
                />
                <span className="min-w-0">
                  <span className="font-medium tabular-nums">{formatPhoneNumber(each.number)}</span>
                  <span className="block text-table text-ink-soft [overflow-wrap:anywhere]">
                    {each.use ?? "Calls to it go nowhere now."}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <Button
            size="small"
            disabled={chosen.length === 0}
            busy={adopting.isPending}
            onClick={() => (moved.length > 0 ? setAsks(true) : adopting.mutate(chosen))}
          >
            Use {countOf(chosen.length)} here
          </Button>
        </>
      ) : null}
      {asks ? (
        <ConfirmDialog
          title={`Use ${countOf(chosen.length)} here?`}
          action="Use here"
          run={() => adopting.mutateAsync(chosen)}
          onDone={() => {}}
          onClose={() => setAsks(false)}
        >
          Calls to {new Intl.ListFormat("en").format(moved)} ring in Leadline from now on, and no longer where {name}{" "}
          sends them today.
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

/** One after another. What isn't done when the page closes is still in the list afterwards. */
async function adopt(id: string, chosen: readonly UnusedNumber[]): Promise<{ adopted: number; failures: string[] }> {
  const failures: string[] = [];
  for (const { number, use } of chosen)
    await request(adoptNumber, { params: { id }, body: { number, moves: use !== null } }).catch((error: unknown) =>
      failures.push(`${formatPhoneNumber(number)}: ${problemDetail(error)}`),
    );
  return { adopted: chosen.length - failures.length, failures };
}
