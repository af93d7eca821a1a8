import type { CallerIds } from "@leadline/contract/caller-ids";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useSyncExternalStore } from "react";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { useDebounced } from "../../components/use-debounced.ts";
import { callerIdsQuery } from "../../data/caller-ids-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Menu, MenuChoice, MenuChoices, MenuLabel } from "../../ui/menu.tsx";
import { chosenCallerId } from "../call/chosen-caller-id.ts";
import { usePhoneState } from "../phone-context.ts";
import { wholeNumberOf } from "../numbers/whole-number.ts";

const automatic = "automatic";

/** What the callee will see, if the organisation has several numbers: one of them can be chosen here. */
export function CallerIdMenu() {
  const { padText } = usePhoneState();
  const whole = wholeNumberOf(padText);
  const debounced = useDebounced(whole ?? "").value;
  const usual = useQuery({ ...callerIdsQuery(null), refetchOnMount: "always" }, queryClient).data;
  const asksLocal = usual?.localPresence === true && whole !== null && debounced === whole;
  const local = useQuery({ ...callerIdsQuery(whole), enabled: asksLocal }, queryClient).data;
  const chosen = useSyncExternalStore(chosenCallerId.subscribe, chosenCallerId.read);
  if (!usual || usual.numbers.length < 2) return null;
  const { numbers } = usual;
  const found = asksLocal ? local : usual;
  const words = found && !(usual.localPresence && whole === null) ? automaticLabel(found.automatic) : localWords;
  const picked = numbers.find(({ number }) => number === chosen);
  return (
    <Menu
      align="start"
      className="w-(--radix-dropdown-menu-trigger-width)"
      trigger={
        <button
          type="button"
          data-caller-id
          className="flex min-h-9 w-full items-center gap-2 rounded-md border border-line bg-panel px-3 text-left text-table hover:border-ink-soft max-md:min-h-11"
        >
          <span className="shrink-0 text-ink-soft">Caller ID</span>
          <span className="min-w-0 flex-1 truncate font-medium tabular-nums">
            {picked ? numberWords(picked) : words}
          </span>
          <ChevronDown className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
        </button>
      }
    >
      <MenuLabel>Caller ID for your calls</MenuLabel>
      <MenuChoices
        value={picked?.number ?? automatic}
        onValueChange={(value) => chosenCallerId.choose(value === automatic ? null : value)}
      >
        <MenuChoice value={automatic}>
          <span className="min-w-0">
            <span className="block">Automatic</span>
            <span className="block text-xs text-ink-soft tabular-nums">{words}</span>
          </span>
        </MenuChoice>
        {numbers.map((each) => (
          <MenuChoice key={each.number} value={each.number}>
            <span className="min-w-0 truncate tabular-nums">{numberWords(each)}</span>
          </MenuChoice>
        ))}
      </MenuChoices>
    </Menu>
  );
}

const localWords = "A local number, if you have one";

const numberWords = ({ number, label }: CallerIds["numbers"][number]): string =>
  label === null ? formatPhoneNumber(number) : `${formatPhoneNumber(number)} · ${label}`;

function automaticLabel({ number, reason }: CallerIds["automatic"]): string {
  if (number === null) return "Your provider’s choice";
  const shown = formatPhoneNumber(number);
  if (reason === "local-presence") return `${shown} · local`;
  return reason === "member-default" ? `${shown} · your default` : shown;
}
