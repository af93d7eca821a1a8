import { CircleAlert, CircleCheck } from "lucide-react";
import { Toaster as Sonner } from "sonner";

interface ToasterProps {
  /** If there are controls at the bottom of the page, which a toast must not cover. */
  atTop: boolean;
}

/** Toasts confirm. An error that needs an action belongs next to what failed. Use `toast` from sonner. */
export function Toaster({ atTop }: ToasterProps) {
  return (
    // Sonner returns the focus that leaves a toast to where it came from, so Tab would never get past one.
    <div onFocusCapture={(event) => event.stopPropagation()}>
      <Sonner
        position={atTop ? "top-center" : "bottom-right"}
        offset={atTop ? 8 : { bottom: "calc(20px + var(--foot-height, 0px))", right: 20 }}
        // Below the header, which is needed for navigation while a toast is shown.
        mobileOffset={atTop ? { top: 60, left: 8, right: 8 } : 8}
        icons={{
          success: <CircleCheck className="size-4 text-brass" />,
          error: <CircleAlert className="size-4 text-fault" />,
        }}
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "flex w-[356px] max-w-full items-start gap-3 rounded-md border border-line bg-panel p-4 max-md:py-2.5 text-sm text-ink shadow-lift font-sans",
            icon: "mt-0.5",
            title: "font-medium",
            actionButton:
              "ml-auto shrink-0 self-center rounded-[6px] border border-line px-2 py-0.5 text-table font-medium hover:bg-sunk",
            description: "text-table wrap-anywhere text-ink-soft",
          },
        }}
      />
    </div>
  );
}
