import { Problem } from "../../http/problem.ts";

export function emailTaken(): Problem {
  return new Problem("email-taken", "This email is already registered. Log in, or use another one.");
}
