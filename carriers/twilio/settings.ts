import { z } from "zod";

export const settings = z.object({
  accountSid: z
    .string()
    .trim()
    .regex(/^AC[0-9a-fA-F]{32}$/, "An Account SID is AC and 32 letters or digits.")
    .meta({ title: "Account SID", description: "On the first page of the Twilio Console." }),
  authToken: z
    .string()
    .trim()
    .regex(/^[0-9a-zA-Z]{32}$/, "An Auth Token is 32 letters or digits.")
    .meta({ title: "Auth Token", description: "Below the Account SID.", secret: true }),
});
