import { useEffect, useState } from "react";
import { loginFailure } from "../../data/login-failure.ts";
import { Notice } from "../../ui/notice.tsx";

/** Why the hosted login that returned here failed; shown once. */
export function LoginFailureNotice({ className }: { className?: string }) {
  const [why] = useState(loginFailure.read);
  useEffect(() => loginFailure.forget(), []);
  return why === null ? null : <Notice {...(className !== undefined && { className })}>{why}</Notice>;
}
