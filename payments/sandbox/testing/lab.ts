import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LabReport, PaymentLab } from "@leadline/adapter-kit/payment-conformance";
import type { PaymentProvider, PaymentReport } from "@leadline/adapter-kit/payment";
import { payment } from "../server.ts";

/** The sandbox itself. Its page is posted to like by a browser, and its reports are held until a test delivers them. */
export async function startLab(): Promise<PaymentLab> {
  const post = async (provider: PaymentProvider, id: string, action: string): Promise<void> => {
    const body = Buffer.from(new URLSearchParams({ action }).toString());
    await provider.routes[0]?.answer({ method: "POST", url: `/checkouts/${id}`, address: "", headers: {}, body });
  };
  const dataDir = mkdtempSync(join(tmpdir(), "leadline-sandbox-payments-"));
  const kept: PaymentReport[] = [];
  const openAt = (onReport: (report: PaymentReport) => Promise<void>) => {
    const provider = payment.open({ SANDBOX_PAYMENTS: "on" }, { onReport, dataDir });
    if (!provider) throw new Error("the settings don't turn it on");
    return provider;
  };
  return {
    module: payment,
    open(onReport) {
      const provider = openAt(onReport);
      // The sandbox reports without a network; as a route, a test can delay the reports like webhooks.
      const webhook = {
        methods: ["POST" as const],
        path: "/kept-report",
        caller: "service" as const,
        async answer({ body }: LabReport) {
          await onReport(JSON.parse(body.toString()) as PaymentReport);
          return { status: 200, headers: {}, body: "" };
        },
      };
      return { ...provider, routes: [...provider.routes, webhook] };
    },
    async act(checkout, action) {
      await post(
        openAt(async (report) => void kept.push(report)),
        checkout.id,
        action,
      );
    },
    declineCharges: (checkout) =>
      post(
        openAt(async () => {}),
        checkout.id,
        "refuse-card",
      ),
    takeReports: () =>
      kept.splice(0).map((report) => ({ url: "/kept-report", headers: {}, body: Buffer.from(JSON.stringify(report)) })),
    forge: null,
    close: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
