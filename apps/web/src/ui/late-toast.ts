/** For code of the first paint, which doesn't include the toasts; other code uses `toast` from sonner. */
export { toast } from "sonner";
