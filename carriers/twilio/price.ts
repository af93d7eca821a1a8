import { z } from "zod";

/** A price of Twilio's lists, such as "0.0130", in millionths of its currency. Null for a row without one. */
export const ListPrice = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((price) => {
    const amount = typeof price === "string" && price.trim() !== "" ? Number(price) : price;
    return typeof amount === "number" && Number.isFinite(amount) ? Math.round(Math.abs(amount) * 1_000_000) : null;
  });
