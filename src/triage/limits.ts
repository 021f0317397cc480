/** How much a report may hold. Bytes are those of text in UTF-8. */
export interface Limits {
  /** Lines of each log. */
  readonly lines: number;
  /** Failed jobs. */
  readonly maxJobs: number;
  /** Of a line of a log, of a name, of a message. */
  readonly maxLineBytes: number;
  /** Of the lines of one log, and of one annotation. */
  readonly maxJobBytes: number;
  /** Of all lines and annotations together. */
  readonly maxBytes: number;
}

export const defaultLimits: Limits = {
  lines: 50,
  maxJobs: 10,
  maxLineBytes: 4096,
  maxJobBytes: 65_536,
  maxBytes: 131_072,
};

/** Of jobs that merely followed or passed on a retry, and of annotations: enough to read. */
export const maxOthers = 100;

/**
 * How many bytes at the end of a log are read for its last lines: time marks and colours take more
 * than the text, and what hooks print after the command comes on top.
 */
export const tailBytes = ({ maxJobBytes }: Limits): number =>
  Math.min(Math.max(4 * maxJobBytes, 512 * 1024), 16 * 1024 * 1024);
