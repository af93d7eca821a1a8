import type { TopUp } from "@leadline/contract/top-ups";

export const topUpStates = {
  open: { name: "Waiting for payment", tone: "brass" },
  paid: { name: "Paid", tone: "call" },
  declined: { name: "Declined", tone: "fault" },
  expired: { name: "Expired", tone: "plain" },
} as const satisfies Record<TopUp["state"], { name: string; tone: string }>;
