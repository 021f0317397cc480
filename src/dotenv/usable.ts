export interface OmittedVariable {
  readonly name: string;
  readonly reason: string;
}

export interface Usable {
  readonly variables: Readonly<Record<string, string>>;
  readonly omitted: readonly OmittedVariable[];
}

/** Returns why a variable is omitted, or undefined if it is passed. */
export type OmissionRule = (name: string, value: string) => string | undefined;

export function usable(env: Readonly<Record<string, unknown>>, omissionRule: OmissionRule): Usable {
  const omitted: OmittedVariable[] = [];
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const reason =
      typeof value === 'string'
        ? (noText(name + value) ?? omissionRule(name, value))
        : 'the value is not a string';
    if (reason === undefined) return [[name, value as string]];
    omitted.push({ name, reason });
    return [];
  });
  return { variables: Object.fromEntries(kept), omitted };
}

function noText(text: string): string | undefined {
  if (text.includes('\0')) return 'a variable cannot contain a NUL byte';
  return /\p{Surrogate}/u.test(text) ? 'it contains an unpaired surrogate' : undefined;
}

/** Omits names that shells treat specially: `a[$(id)]=1` or `PROMPT_COMMAND=id` would run a command. */
export const notForShells: OmissionRule = (name, value) =>
  notAName(name, value) ??
  (isHarmless(name, value)
    ? undefined
    : 'the name is special to bash, dash or zsh; to include it: --all-names');

export const notAName: OmissionRule = (name) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? undefined : 'not a valid shell variable name';

export const notForPrograms: OmissionRule = (name) =>
  name === '' || name.includes('=') ? 'not a valid environment variable name' : undefined;

// Special names are read-only, integers, arrays or tied to an array in bash, dash or zsh, or have
// an effect at a prompt, at startup, in the history or during command lookup. Shells treat all
// other names as plain text, including PATH, HOME, TERM, LANG and LC_*. Effects on other programs
// (LD_PRELOAD, NODE_OPTIONS, EDITOR) are out of scope, because sourcing those names runs nothing.

/** Whether a shell would only store this value. Some names require plain numbers or paths. */
export function isHarmless(name: string, value: string): boolean {
  const plain = plainValues.get(name);
  if (plain !== undefined) return plain.test(value);
  return !special.has(name) && !prefixes.some((prefix) => name.startsWith(prefix));
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** No leading zero, because `08` is a malformed octal number. Small enough for every shell. */
const number = /^(?:0|[1-9]\d{0,8})$/;
/** Small, because an interactive zsh allocates an array of this size. */
const cells = /^(?:0|[1-9]\d{0,3})$/;
/** Lower values would truncate the history file or limit nested functions. */
const plenty = /^(?:[5-9]\d\d|[1-9]\d{3,8})$/;
/** No `?`, because zsh expands the text after it as a message. */
const path = /^[\w./@+-]*$/;

const plainValues: ReadonlyMap<string, RegExp> = new Map([
  ...words(`BAUD DIRSTACKSIZE ERRNO IGNOREEOF KEYTIMEOUT LISTMAX LOGCHECK MAILCHECK OPTERR OPTIND
    PERIOD PROMPT_DIRTRIM RANDOM REPORTMEMORY REPORTTIME SECONDS`).map((name) =>
    pair(name, number),
  ),
  ...['COLUMNS', 'LINES', 'SHLVL'].map((name) => pair(name, cells)),
  ...['FUNCNEST', 'HISTSIZE', 'SAVEHIST'].map((name) => pair(name, plenty)),
  pair('MAIL', path),
]);

function pair(name: string, value: RegExp): [string, RegExp] {
  return [name, value];
}

/** Prefixes that bash and zsh reserve for current and future names. */
const prefixes = words('BASH_ READLINE_ ZCURSES_ ZFTP_ ZLE_ ZLS_ ZSH_ zle_ zsh_');

const special: ReadonlySet<string> = new Set([
  // Read-only, or set only by the shell.
  ...words(`_ ARGC ARGV0 BASH BASHOPTS BASHPID EGID EPOCHREALTIME EPOCHSECONDS EUID GID GROUPS
    HISTCMD LINENO OPTARG PPID REPLY SHELLOPTS SRANDOM TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TTYIDLE
    UID USERNAME status`),
  // Arrays and names tied to an array.
  ...words(`CDPATH COMPREPLY COMP_CWORD COMP_KEY COMP_LINE COMP_POINT COMP_TYPE COMP_WORDBREAKS
    COMP_WORDS COPROC DIRSTACK FIGNORE FPATH FUNCNAME MAILPATH MAPFILE MATCH MBEGIN MEND
    MODULE_PATH PIPESTATUS PSVAR WATCH aliases argv builtins cdpath commands dirstack dis_aliases
    dis_builtins dis_functions dis_functions_source dis_galiases dis_patchars dis_reswords
    dis_saliases epochtime errnos fignore fpath funcfiletrace funcsourcetrace funcstack functions
    functions_source functrace galiases history historywords jobdirs jobstates jobtexts keymaps
    langinfo mailpath manpath mapfile match mbegin mend module_path modules nameddirs options
    parameters patchars path pipestatus psvar reply reswords saliases signals sysparams termcap
    terminfo userdirs usergroups watch widgets zcurses_attrs zcurses_colors zcurses_keycodes
    zcurses_windows zgdbm_tied`),
  // Evaluated at a prompt, at startup or when a command is needed.
  ...words(`ENV FCEDIT INPUTRC NULLCMD POSTEDIT PROMPT PROMPT2 PROMPT3 PROMPT4 PROMPT_COMMAND
    PROMPT_EOL_MARK PS0 PS1 PS2 PS3 PS4 READNULLCMD RPROMPT RPROMPT2 RPS1 RPS2 SPROMPT STTY
    TEXTDOMAIN TEXTDOMAINDIR TIMEFMT TIMEFORMAT WATCHFMT ZDOTDIR auto_resume chpwd_functions
    periodic_functions precmd_functions preexec_functions prompt zshaddhistory_functions
    zshexit_functions`),
  // These change how later lines are parsed, which files are written, or when the shell exits.
  ...words(`CHILD_MAX CORRECT_IGNORE CORRECT_IGNORE_FILE EXECIGNORE GLOBIGNORE GLOBSORT HISTCHARS
    HISTCONTROL HISTFILE HISTFILESIZE HISTIGNORE HISTORY_IGNORE HISTTIMEFORMAT HOSTFILE IFS
    KEYBOARD_HACK POSIXLY_CORRECT TERMCAP TERMINFO TERMINFO_DIRS TMOUT TMPPREFIX TMPSUFFIX
    WORDCHARS ZBEEP histchars ignoreeof`),
]);
