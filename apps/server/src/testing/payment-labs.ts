import { startLab as startSandboxLab } from "@leadline/payment-sandbox/testing/lab";
import { startLab as startStripeLab } from "@leadline/payment-stripe/testing/lab";

/** Every payment provider, in tests. */
export const paymentLabs = { sandbox: startSandboxLab, stripe: startStripeLab };
