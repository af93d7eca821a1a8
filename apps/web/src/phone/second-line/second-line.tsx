import { inOrder, isConference } from "../call/two-calls.ts";
import { usePhoneState } from "../phone-context.ts";
import { Conference } from "./conference.tsx";
import { Consultation } from "./consultation.tsx";
import { LeftOtherNote } from "./left-other-note.tsx";

interface SecondLineProps {
  className?: string;
  /** On a narrow screen it is one collapsible line. */
  folds?: boolean;
}

/** The other line: on hold, in the conference, or why it has ended. */
export function SecondLine({ className, folds = false }: SecondLineProps) {
  const { call, other, ...rest } = usePhoneState();
  const look = className === undefined ? {} : { className };
  if (!call || !other) return <LeftOtherNote {...look} />;
  return isConference({ call, other, ...rest }) ? (
    <Conference calls={inOrder(call, other)} folds={folds} {...look} />
  ) : (
    <Consultation call={call} other={other} folds={folds} {...look} />
  );
}
