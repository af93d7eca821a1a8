import { listCalls } from "@leadline/contract/calls";
import { listIntegrations } from "@leadline/contract/integrations";
import { listPhoneNumbers } from "@leadline/contract/phone-numbers";
import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useCallsSandbox, useOtherCarrier } from "../../components/use-other-carrier.ts";
import { request } from "../../data/api-client.ts";
import { callsKey } from "../../data/calls-query.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { queryClient } from "../../data/query-client.ts";

export interface FirstStep {
  title: string;
  text: ReactNode;
  action: {
    label: string;
    /** The number to put on the pad, if the sandbox simulates it. */
    dials?: string;
    to: "/settings/organisations/new" | "/calls" | "/integrations" | "/settings/phone-numbers/assign";
  };
  /** Only admins can take this step; others don't see it. */
  forAdmins?: true;
  /** The query is refetched whenever this key's queries are. */
  follows: QueryKey;
  isDone: () => Promise<boolean>;
}

const number = (text: string) => <span className="font-medium whitespace-nowrap text-ink tabular-nums">{text}</span>;

function NumbersToCall() {
  const carrier = useOtherCarrier();
  return useCallsSandbox() ? (
    <>
      Call {number("+1 202 555 0100")}: it answers and speaks. Call {number("…0101")} to hear yourself. Both are
      simulated, at made-up prices.
    </>
  ) : (
    <>Call a phone you can answer, such as your mobile. It’s a real call through {carrier}, at your normal rate.</>
  );
}

const makeAnOrganisation: FirstStep = {
  title: "Create an organisation",
  text: "Your calls, numbers and balance belong to it. All you need is a name.",
  action: { label: "Create organisation", to: "/settings/organisations/new" },
  follows: meQuery.queryKey,
  isDone: async () => (await queryClient.ensureQueryData(meQuery)).activeOrganisation !== null,
};

const placeATestCall: FirstStep = {
  title: "Place a test call",
  text: <NumbersToCall />,
  action: { label: "Open the dial pad", to: "/calls", dials: "+1 202 555 0100" },
  follows: callsKey,
  isDone: async () => (await request(listCalls, { query: { limit: 1 } })).length > 0,
};

const connectACrm: FirstStep = {
  title: "Connect a CRM",
  text: "Bring in your leads and keep them up to date. Try it without an account, using the built-in sandbox CRM.",
  action: { label: "Open integrations", to: "/integrations" },
  forAdmins: true,
  follows: integrationsQuery.queryKey,
  isDone: async () => (await request(listIntegrations, {})).some(({ status }) => status === "active"),
};

const getANumber: FirstStep = {
  title: "Get a number",
  text: "The people you call see it. Search by country, area code or digits.",
  action: { label: "Get a phone number", to: "/settings/phone-numbers/assign" },
  forAdmins: true,
  follows: phoneNumbersKey,
  isDone: async () => (await request(listPhoneNumbers, {})).length > 0,
};

/** In this order. The first incomplete step offers its action. */
export const firstSteps: readonly FirstStep[] = [makeAnOrganisation, placeATestCall, connectACrm, getANumber];
