/** How far into the events this tab is: the id of the last one, empty before the first. Ids only grow. */
export function followPosition(onMissed: () => void) {
  let lastEventId = "";
  let wasOpen = false;
  const isPast = (id: string): boolean => id !== "" && lastEventId !== "" && Number(id) <= Number(lastEventId);
  return {
    get: (): string => lastEventId,
    set: (id: string): void => void (lastEventId = id),
    isPast,
    noteOpen: (): void => void (wasOpen = true),
    /** Without an id there is nothing to resume from, so a gap's events are unknown. */
    isUnknown: (): boolean => wasOpen && lastEventId === "",
    startOver(): void {
      lastEventId = "";
      wasOpen = false;
    },
    /** Another tab is at this event: the ones in between were lost while this tab slept. */
    catchUpWith(id: string): void {
      if (id === "" || isPast(id)) return;
      const hasGap = lastEventId !== "";
      lastEventId = id;
      if (hasGap) onMissed();
    },
  };
}
