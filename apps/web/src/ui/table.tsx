import { clsx } from "clsx";
import type { ComponentProps, Ref } from "react";

interface TableProps extends ComponentProps<"table"> {
  /** The accessible name of the scrolling region and the table. */
  label: string;
  /** To observe scrolling. */
  scrollRef?: Ref<HTMLElement>;
  /** Its height, if it also scrolls vertically. */
  scrollClassName?: string;
}

/** Scrolls within itself. */
export function Table({ label, scrollRef, scrollClassName, className, ...rest }: TableProps) {
  return (
    <section
      ref={scrollRef}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
      tabIndex={0}
      className={clsx("relative overflow-auto rounded-md border border-line bg-panel", scrollClassName)}
    >
      <table className={clsx("w-full border-collapse text-table", className)} {...rest} />
    </section>
  );
}

export function TableHead(props: ComponentProps<"thead">) {
  return <thead {...props} />;
}

export function TableBody(props: ComponentProps<"tbody">) {
  return <tbody {...props} />;
}

export function TableRow({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      className={clsx(
        "group/row base:h-10 base:border-b border-line last:border-b-0 [tbody>&]:hover:bg-sunk",
        className,
      )}
      {...rest}
    />
  );
}

type CellAlign = { align?: "left" | "right" };

export function TableHeadCell({ align = "left", className, ...rest }: Omit<ComponentProps<"th">, "align"> & CellAlign) {
  return (
    <th
      scope="col"
      className={clsx(
        "sticky top-0 z-10 base:h-9 bg-panel px-3 md:px-4 text-xs font-medium whitespace-nowrap text-ink-soft shadow-[inset_0_-1px_0_var(--line)]",
        align === "right" ? "text-right" : "text-left",
        className,
      )}
      {...rest}
    />
  );
}

export function TableCell({ align = "left", className, ...rest }: Omit<ComponentProps<"td">, "align"> & CellAlign) {
  return (
    <td
      className={clsx("px-3 base:py-1 md:px-4", align === "right" ? "text-right tabular-nums" : "text-left", className)}
      {...rest}
    />
  );
}
