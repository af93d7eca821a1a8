import type { VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { buttonLook } from "./button.tsx";
import { Tooltip } from "./tooltip.tsx";

interface IconButtonProps
  extends Omit<ComponentProps<"button">, "aria-label">, Pick<VariantProps<typeof buttonLook>, "tone"> {
  /** The accessible name, also the tooltip. */
  label: string;
  /** A keyboard shortcut, shown next to the label. */
  shortcut?: string;
  size?: "small" | "medium" | "large";
  children: ReactNode;
}

const boxes = { small: "size-8", medium: "size-9", large: "size-11" };

export function IconButton({ label, shortcut, tone = "quiet", size = "medium", className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        className={clsx(buttonLook({ tone }), "px-0", boxes[size], className)}
        {...rest}
      />
    </Tooltip>
  );
}
