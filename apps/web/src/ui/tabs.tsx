import { clsx } from "clsx";
import { Tabs as Radix } from "radix-ui";
import type { ComponentProps } from "react";

export function Tabs(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root {...props} />;
}

export function TabList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={clsx("flex gap-4 border-b border-line", className)} {...rest} />;
}

export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={clsx(
        "-mb-px h-10 border-b-2 border-transparent text-sm font-medium text-ink-soft transition-colors hover:text-ink data-[state=active]:border-brass data-[state=active]:text-ink",
        className,
      )}
      {...rest}
    />
  );
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={clsx("outline-none focus-visible:outline-2", className)} {...rest} />;
}
