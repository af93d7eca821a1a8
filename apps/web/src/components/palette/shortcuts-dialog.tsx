import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { shortcuts } from "./shortcuts.ts";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Keyboard shortcuts"
      className="w-[min(520px,calc(100vw-32px))]"
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it on a small screen */}
      <div role="group" aria-label="All shortcuts" tabIndex={0} className="flex flex-col gap-5">
        {shortcuts.map((group) => (
          <section key={group.where} aria-label={group.where}>
            <h3 className="pb-1 text-xs text-ink-soft">{group.where}</h3>
            <dl>
              {group.shortcuts.map(({ keys, does }) => (
                <div
                  key={does}
                  className="flex items-center justify-between gap-4 border-b border-line py-2 last:border-b-0"
                >
                  <dt className="text-sm">{does}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys.map((key) => (
                      <kbd
                        key={key}
                        className="min-w-6 rounded-[4px] border border-line bg-sunk px-1.5 py-0.5 text-center font-sans text-xs"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
