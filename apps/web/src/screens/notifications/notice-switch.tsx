import { useState } from "react";
import { chooseNotice, type NoticeName, wantsNotice } from "../../data/notice-choices.ts";
import { Checkbox } from "../../ui/checkbox.tsx";

interface NoticeSwitchProps {
  name: NoticeName;
  label: string;
  disabled?: boolean;
}

export function NoticeSwitch({ name, label, disabled = false }: NoticeSwitchProps) {
  const [wanted, setWanted] = useState(() => wantsNotice(name));
  return (
    <Checkbox
      label={label}
      checked={wanted}
      disabled={disabled}
      onChange={(checked) => {
        chooseNotice(name, checked);
        setWanted(checked);
      }}
    />
  );
}
