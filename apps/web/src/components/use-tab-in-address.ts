import { useNavigate, useSearch } from "@tanstack/react-router";

/**
 * The open tab of a screen is in its address, so that a reload and a shared link show the same; the first one is the
 * default.
 */
export function useTabInAddress<T extends string>(tabs: readonly [T, ...T[]]) {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    value: tabs.find((name) => name === tab) ?? tabs[0],
    onValueChange: (chosen: string): void =>
      void navigate({
        to: ".",
        search: chosen === tabs[0] ? {} : { tab: chosen },
        replace: true,
        resetScroll: false,
      }),
  };
}
