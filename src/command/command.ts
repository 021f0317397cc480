/**
 * A command as data. Parsing, help, completion, `docs/commands.md` and the tests' list of commands
 * all read these records; the handlers are loaded only when a command runs (`tree.ts`).
 */
import type { Resource } from '../api/resources/resource.ts';
import type { Context } from '../context.ts';

/** Values that completion may offer and that parsing checks. */
type Choices = readonly string[];

/** Values that are not the command's own: completion looks for them on this machine or at the service. */
export type ValueKind =
  | 'profiles'
  | 'targets'
  | 'pipelines'
  | 'organizations'
  | 'branches'
  | 'builds'
  | 'unfinished builds'
  | 'jobs'
  | 'retryable jobs'
  | 'blocked jobs'
  | 'pages'
  | 'contexts'
  | 'queues'
  | 'rules'
  | 'local pipelines'
  | 'local agents'
  | 'local agent tokens'
  | 'local secrets';

/** Values that completion offers and that parsing does not check. */
type Suggestions = readonly string[] | ValueKind;

interface OptionBase {
  /** One letter, without the dash. */
  readonly short?: string;
  /** One line of help, without a full stop. */
  readonly summary: string;
  /** Left out of help and completion (an alias, a helper for scripts). */
  readonly hidden?: true;
}

/** A flag without a value. */
export interface Switch extends OptionBase {
  readonly value?: undefined;
  /** The flag that a value behind `=` is for: `--json=a,b` is `--json --fields a,b`. */
  readonly inline?: string;
  /** With it the output comes line by line as things happen: not into a pager. */
  readonly live?: true;
}

/** A flag with a value. `value` is the word shown for it in the help. */
export interface Valued extends OptionBase {
  readonly value: string;
  /** How the text is read; default `text`. A duration becomes milliseconds. */
  readonly type?: 'text' | 'integer' | 'duration';
  readonly choices?: Choices;
  readonly suggests?: Suggestions;
  /** May stand several times; the handler gets an array. */
  readonly repeat?: true;
  /** What the help says of a default; the handler applies it. */
  readonly fallback?: string;
}

export type Option = Switch | Valued;

/** A positional argument. */
export interface Argument {
  readonly summary: string;
  readonly required?: true;
  /** Takes all that are left; the handler gets an array. Only the last argument may. */
  readonly variadic?: true;
  readonly choices?: Choices;
  readonly suggests?: Suggestions;
}

/** Keys are camelCase names; on the command line `createdFrom` is `--created-from`. */
export type Options = Readonly<Record<string, Option>>;
export type Arguments = Readonly<Record<string, Argument>>;

export interface Command<A extends Arguments = Arguments, O extends Options = Options> {
  /** Noun and verb, or one word: `builds list`, `annotate`. */
  readonly name: string;
  readonly summary: string;
  /** Longer text for the help, a few lines at most. */
  readonly details?: string;
  readonly arguments: A;
  readonly options: O;
  /** Two valid command lines. */
  readonly examples: readonly [string, string];
  /** What `--fields` may name. */
  readonly resource?: Resource;
  /** Changes something at the service: `--dry-run` applies, references are never guessed. */
  readonly mutates?: true;
  /**
   * `optional`: works without a service, so that a variable of the environment that makes no sense
   * is a warning, and the default holds. `unused`: it is not even that. Default: code 2.
   */
  readonly settings?: 'optional' | 'unused';
  /** What it prints is read at leisure: on a terminal in a pager. */
  readonly paged?: true;
  /** What the service wants to see; default the access token. */
  readonly credential?: 'agent';
  /** What follows `--` is for a program and not parsed here: `input.rest`. The text is its usage. */
  readonly passThrough?: string;
  /** It answers to `list` and `ls` behind its name too, where further words follow that. */
  readonly isList?: true;
}

type ValueOf<O extends Valued> = O['type'] extends 'integer' | 'duration' ? number : string;

type OptionInput<O extends Option> = O extends Valued
  ? O['repeat'] extends true
    ? ValueOf<O>[]
    : ValueOf<O> | undefined
  : boolean;

type ArgumentInput<A extends Argument> = A['variadic'] extends true
  ? string[]
  : A['required'] extends true
    ? string
    : string | undefined;

/** What the handler of a command gets: its arguments and options by name. */
export type Input<C extends Command> = {
  readonly [K in keyof C['arguments']]: ArgumentInput<C['arguments'][K]>;
} & { readonly [K in keyof C['options']]: OptionInput<C['options'][K]> } & {
  /** What followed `--`, for a command that passes it through; else empty. */
  readonly rest: readonly string[];
};

/** Runs a command; resolves to its exit code, nothing meaning 0. Throws `CictlError`. */
export type Handler<C extends Command> = (
  input: Input<C>,
  context: Context,
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most handlers return nothing
) => Promise<number | void>;

/** Keeps the literal types of a command, from which the handler's input is inferred. */
export const command = <const A extends Arguments, const O extends Options>(
  definition: Command<A, O>,
): Command<A, O> => definition;

/** `createdFrom` -> `created-from`. */
export const flagName = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
