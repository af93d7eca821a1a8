import { z } from "zod";

/** What the server says, too, where it is left out. */
export const currentPasswordField = z.string().min(1, "Enter your current password.");
