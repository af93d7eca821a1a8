/** For code of the first paint, which the toasts are no part of; others use `toast` from sonner. */
export { toast } from "sonner";
