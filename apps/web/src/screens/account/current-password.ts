import { z } from "zod";

/** The same message as the server's for a missing password. */
export const currentPasswordField = z.string().min(1, "Enter your current password.");
