const recordHeaderBytes = 13;
const handshakeHeaderBytes = 12;
const handshakeType = 22;
/** A browser's longest flight holds a certificate; anything longer only fills our memory. */
const longestMessageBytes = 16_000;
/** A browser sends one fragmented message at a time, twice if it is lost; a stranger could send any number. */
const maxMessages = 4;

interface Message {
  body: Buffer;
  /** Which bytes have arrived. */
  known: Uint8Array;
}

/**
 * Reassembles fragmented handshake messages (RFC 6347, section 4.2.3) before werift sees them: werift joins what it has
 * as soon as a last fragment arrives, so losing a first fragment twice would end the handshake for good. Takes a
 * datagram of DTLS records and returns the records to pass on.
 */
export function createFragmentJoiner(): (datagram: Buffer) => Buffer {
  const messages = new Map<string, Message>();

  function join(record: Buffer): Buffer | null {
    const at = recordHeaderBytes;
    const total = record.readUIntBE(at + 1, 3);
    const offset = record.readUIntBE(at + 6, 3);
    const length = record.readUIntBE(at + 9, 3);
    const piece = record.subarray(at + handshakeHeaderBytes);
    if (length === total || length !== piece.length || offset + length > total || total > longestMessageBytes)
      return record;

    const key = `${record[at]} ${record.readUInt16BE(at + 4)} ${total}`;
    const message = messages.get(key) ?? { body: Buffer.alloc(total), known: new Uint8Array(total) };
    messages.set(key, message);
    const [oldest] = messages.keys();
    if (messages.size > maxMessages && oldest !== undefined) messages.delete(oldest);
    piece.copy(message.body, offset);
    message.known.fill(1, offset, offset + length);
    if (message.known.includes(0)) return null;

    messages.delete(key);
    const header = Buffer.from(record.subarray(0, at + handshakeHeaderBytes));
    header.writeUInt16BE(handshakeHeaderBytes + total, at - 2);
    header.writeUIntBE(0, at + 6, 3);
    header.writeUIntBE(total, at + 9, 3);
    return Buffer.concat([header, message.body]);
  }

  return (datagram) => {
    const records: Buffer[] = [];
    for (let start = 0; start + recordHeaderBytes <= datagram.length;) {
      const end = start + recordHeaderBytes + datagram.readUInt16BE(start + recordHeaderBytes - 2);
      const record = datagram.subarray(start, end);
      const inPlain = record.readUInt16BE(3) === 0;
      const isHandshake = record[0] === handshakeType && record.length > recordHeaderBytes + handshakeHeaderBytes;
      const whole = inPlain && isHandshake ? join(record) : record;
      if (whole) records.push(whole);
      start = end;
    }
    return records.length === 1 && records[0] ? records[0] : Buffer.concat(records);
  };
}
