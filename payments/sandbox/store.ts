import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";

const Payment = z.object({
  id: z.string(),
  reference: z.string(),
  amountMicros: z.number(),
  description: z.string(),
  returnUrl: z.string(),
  state: z.enum(["open", "paid", "declined", "expired"]),
  refundedMicros: z.number(),
  disputed: z.boolean(),
  /** The card can be charged later with the id as the saved method. Missing in files of earlier versions. */
  savesMethod: z.boolean().default(false),
  cardDeclines: z.boolean().default(false),
});
export type SandboxPayment = z.infer<typeof Payment>;
const Payments = z.array(Payment);

export interface Store {
  find(id: string): SandboxPayment | undefined;
  findByReference(reference: string): SandboxPayment | undefined;
  /** Written before it returns, so that a payment survives a crash. */
  put(payment: SandboxPayment): void;
}

const maxKept = 1_000;

/** Without a file, the state is in memory only. The file is read each time, because processes may share it. */
export function openStore(file: string | null): Store {
  let payments: SandboxPayment[] = [];
  const read = (): SandboxPayment[] => {
    if (file !== null && existsSync(file)) payments = Payments.parse(JSON.parse(readFileSync(file, "utf8")));
    return payments;
  };
  return {
    find: (id) => read().find((payment) => payment.id === id),
    findByReference: (reference) => read().find((payment) => payment.reference === reference),
    put(payment) {
      payments = [...read().filter(({ id }) => id !== payment.id), payment].slice(-maxKept);
      if (file === null) return;
      writeFileSync(`${file}.new`, JSON.stringify(payments), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}
