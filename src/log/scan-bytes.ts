import { scanControls, type Controls } from './scan-controls.ts';

/** A block of a log as it is looked through: many times over, so it is prepared once. */
export interface ScannedBytes {
  readonly bytes: Buffer;
  /** The same, a character a byte: V8 joins parts of it faster than bytes are copied. */
  readonly text: string;
  readonly controls: Controls;
}

/** Of the same block as before, what was prepared then. */
export function scanBytes(): (bytes: Buffer) => ScannedBytes {
  let last: ScannedBytes | undefined;
  return (bytes) => {
    if (last?.bytes === bytes) return last;
    last = { bytes, text: bytes.toString('latin1'), controls: scanControls(bytes) };
    return last;
  };
}
