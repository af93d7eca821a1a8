import { useQuery } from "@tanstack/react-query";
import { rateUnknown } from "../../components/cost-label.ts";
import { rateLabel } from "../../components/rate-label.ts";
import { queryClient } from "../../data/query-client.ts";
import { numberRateQuery } from "../../data/rates-query.ts";
import { useDebounced } from "../../components/use-debounced.ts";
import { wholeNumberOf } from "../numbers/whole-number.ts";

/** What a call to the number on the pad costs, once the number is whole. */
export function RateNote({ typed }: { typed: string }) {
  const whole = wholeNumberOf(typed);
  const { value: number } = useDebounced(whole ?? "");
  const enabled = number !== "" && number === whole;
  const found = useQuery({ ...numberRateQuery(number), enabled }, queryClient).data;
  if (!enabled || !found) return null;
  const words = found.rate === null ? rateUnknown : rateLabel(found.rate);
  return (
    <span
      className="ml-auto shrink-0 pl-2 tabular-nums"
      title={found.isSandbox ? "Made-up price: sandbox calls don’t reach real phones" : found.description || undefined}
    >
      <span className="sr-only">Price: </span>
      {found.isSandbox && found.rate !== null ? `Sandbox ${words}` : words}
    </span>
  );
}
