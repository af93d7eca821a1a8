import { countries, defaultCountry } from "@leadline/contract/countries";
import { useNavigate, useSearch } from "@tanstack/react-router";

/** The search is in the URL, so that Back, a reload and a shared link show the same numbers. */
export function useNumberSearch() {
  const given = useSearch({ strict: false });
  const navigate = useNavigate();
  const countryCode = countries.find(({ iso }) => iso === given.country)?.iso ?? defaultCountry;
  const search = given.search ?? "";
  const accountId = given.account ?? null;
  const change = (news: { country?: string; search?: string; account?: string }): void => {
    const next = { country: countryCode, search, account: given.account, ...news };
    void navigate({
      to: ".",
      search: {
        ...(next.country === defaultCountry ? {} : { country: next.country }),
        ...(next.search === "" ? {} : { search: next.search }),
        ...(next.account === undefined ? {} : { account: next.account }),
      },
      replace: true,
      resetScroll: false,
    });
  };
  return { countryCode, search, accountId, change };
}
