export interface StreamEvent {
  /** Empty where the stream has named none yet. */
  id: string;
  type: string;
  data: string;
}

/**
 * Reads text/event-stream (WHATWG HTML, section 9.2) from pieces cut anywhere.
 * Give it decoded text; it calls `onEvent` for each whole event.
 */
export function createEventStreamParser(
  onEvent: (event: StreamEvent) => void,
  /** An id without an event: where to resume from. */
  onPosition: (id: string) => void = () => {},
) {
  let rest = "";
  let id = "";
  let told = "";
  let type = "";
  let data: string[] = [];

  function takeLine(line: string): void {
    if (line === "") {
      if (data.length > 0) onEvent({ id, type: type || "message", data: data.join("\n") });
      else if (id !== told) onPosition(id);
      told = id;
      type = "";
      data = [];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") data.push(value);
    else if (field === "event") type = value;
    else if (field === "id" && !value.includes("\0")) id = value;
  }

  return (text: string): void => {
    rest += text;
    for (;;) {
      const end = /\r\n|\n|\r/.exec(rest);
      // A CR at the very end may be half of a CRLF.
      if (!end || (end[0] === "\r" && end.index === rest.length - 1)) return;
      const line = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      takeLine(line);
    }
  };
}
