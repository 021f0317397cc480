/**
 * A command as data. Parsing, help, completion, `docs/commands.md` and the tests use these records;
 * handlers are loaded only when a command runs (`tree.ts`).
 */
import type { Resource } from '../api/resources/resource.ts';
import type { Context } from '../context.ts';

/** Kinds of values that completion looks up on this machine or from the service. */
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

interface OptionBase {
  /** One letter, without the dash. */
  readonly short?: string;
  /** One line of help, without a period at the end. */
  readonly summary: string;
  /** Omitted from help and completion, because it is an alias or only useful in scripts. */
  readonly hidden?: true;
}

export interface Switch extends OptionBase {
  readonly value?: undefined;
  /** The flag that receives a value after `=`: `--json=a,b` is `--json --fields a,b`. */
  readonly inline?: string;
  /** With this switch, output arrives line by line over time and must not go through a pager. */
  readonly live?: true;
}

/** A flag with a value. `value` is the placeholder in help texts. */
export interface Valued extends OptionBase {
  readonly value: string;
  /** Defaults to `text`. A duration is converted to milliseconds. */
  readonly type?: 'text' | 'integer' | 'duration';
  /** Valid values. The parser rejects all others. */
  readonly choices?: readonly string[];
  /** Values that completion offers. The parser also accepts others. */
  readonly suggests?: readonly string[] | ValueKind;
  /** Can be given several times; the handler gets an array. */
  readonly repeat?: true;
  /** The default value to show in help. The handler must apply the default itself. */
  readonly fallback?: string;
}

export type Option = Switch | Valued;

export interface Argument extends Pick<Valued, 'choices' | 'suggests'> {
  readonly summary: string;
  readonly required?: true;
  /** Takes all remaining arguments as an array. Only valid for the last argument. */
  readonly variadic?: true;
}

/** Keys are camelCase: `createdFrom` is `--created-from` on the command line. */
export type Options = Readonly<Record<string, Option>>;
export type Arguments = Readonly<Record<string, Argument>>;

interface Definition<A extends Arguments, O extends Options> {
  /** Noun and verb, or one word: `builds list`, `annotate`. */
  readonly name: string;
  readonly summary: string;
  /** Longer text for help, a few lines at most. */
  readonly details?: string;
  /** Defaults to no arguments. */
  readonly arguments?: A;
  /** Defaults to no options. */
  readonly options?: O;
  /** Two valid command lines. */
  readonly examples: readonly [string, string];
  /** The fields of the resource are the valid names for `--fields`. */
  readonly resource?: Resource;
  /** Changes data in the service: `--dry-run` applies, and references are never guessed. */
  readonly mutates?: true;
  /**
   * What happens if an environment variable is invalid. By default, the exit code is 2. `optional`:
   * only a warning, because the command works without a service. `unused`: not even a warning.
   */
  readonly settings?: 'optional' | 'unused';
  /** Output goes through a pager on a terminal. */
  readonly paged?: true;
  /** Which token the service expects. Defaults to the access token. */
  readonly credential?: 'agent';
  /** Usage of the arguments after `--`. The command gets them unparsed, as `input.rest`. */
  readonly passThrough?: string;
  /** Accepts `list` or `ls` after the name, even if the command has other subcommands. */
  readonly isList?: true;
}

export interface Command<
  A extends Arguments = Arguments,
  O extends Options = Options,
> extends Definition<A, O> {
  readonly arguments: A;
  readonly options: O;
}

// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no keys at all
type None = {};

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

/** Arguments and options of a command by name, as passed to its handler. */
export type Input<C extends Command> = {
  readonly [K in keyof C['arguments']]: ArgumentInput<C['arguments'][K]>;
} & { readonly [K in keyof C['options']]: OptionInput<C['options'][K]> } & {
  /** The arguments after `--` if the command has `passThrough`, otherwise empty. */
  readonly rest: readonly string[];
};

/** Runs a command; resolves to its exit code, by default 0. Throws `CictlError`. */
export type Handler<C extends Command> = (
  input: Input<C>,
  context: Context,
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most handlers return nothing
) => Promise<number | void>;

/** Preserves the literal types of a command, from which the handler's input is inferred. */
export const command = <const A extends Arguments = None, const O extends Options = None>(
  definition: Definition<A, O>,
): Command<A, O> => ({ arguments: {} as A, options: {} as O, ...definition });

/** `createdFrom` -> `created-from`. */
export const flagName = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
