import { hashAt, owaspLeast } from "../features/sessions/hash-password.ts";

export const cheaply = { ...owaspLeast, memory: 64, passes: 1 };

/** In this process only; a server that a test starts hashes at full cost. */
hashAt(cheaply);
