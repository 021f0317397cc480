import type { Command } from '../../command/command.ts';

/** How the output of a command becomes an answer. */
export type AnswerKind =
  /** One JSON document. */
  | 'document'
  /** JSON elements, which become one array. */
  | 'list'
  /** Lines as they are. */
  | 'text'
  /** The variables of a job, whose values are masked. */
  | 'variables';

/** A command as a tool of the server. */
export interface Tool {
  /** The command's words with `_` between them: `job_log`. */
  readonly name: string;
  readonly command: Command;
  readonly kind: AnswerKind;
  /** More than the command's own summary says, for who knows no help. */
  readonly hint?: string;
  /** Keys of the options that a caller may give. */
  readonly options: readonly string[];
  /** Names of arguments and options that must be given. */
  readonly required?: readonly string[];
  /** The members that come where the caller names none: whole builds take many kilobytes. */
  readonly fields?: string;
  /** Flags that always stand on the command line. */
  readonly flags?: readonly string[];
}
