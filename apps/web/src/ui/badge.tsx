import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import type { ComponentProps } from "react";

const look = cva(
  "base:inline-flex base:h-6 base:shrink-0 items-center base:gap-1.5 rounded-full base:px-2 base:text-xs font-medium whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        plain: "bg-ink/6 text-ink",
        brand: "bg-brand-wash text-brand",
        brass: "bg-brass-wash text-ink [&_svg]:text-brass",
        call: "bg-call/12 text-ink [&_svg]:text-call",
        fault: "bg-fault-wash text-fault",
      },
    },
    defaultVariants: { tone: "plain" },
  },
);

export function Badge({ tone, className, ...rest }: ComponentProps<"span"> & VariantProps<typeof look>) {
  return <span className={clsx(look({ tone }), className)} {...rest} />;
}
