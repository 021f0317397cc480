/** Flags that hands type from other tools, each with what may be meant by it. */

export interface FlagHabit {
  readonly typed: string;
  /** The first counts whose flag the command has; an empty one means that nothing is needed. */
  readonly meant: readonly string[];
  /** Its value is not taken over; what the user should know instead. */
  readonly why?: string;
}

const flagHabit = (typed: string, ...meant: string[]): FlagHabit[] =>
  typed.split(', ').map((flag) => ({ typed: flag, meant }));

/** What stands for a build that is an argument of the command: `--build 12` is `12`. */
export const asArgument = 'ARGUMENT';

export const flagHabits: readonly FlagHabit[] = [
  ...flagHabit('-w', '--web', '--watch'),
  ...flagHabit('--browser, --open', '--web'),
  ...flagHabit('--wait', '--watch'),
  ...flagHabit('-f', '--follow', '--yes'),
  ...flagHabit('--force', '--yes'),
  ...flagHabit('--tail, --stream', '--follow'),
  ...flagHabit('-R, --repo, --workflow, --project', '--pipeline'),
  ...flagHabit('--organization, --organisation, --owner, -O', '--org'),
  ...flagHabit('-n, --count, --max, --max-count, --per-page', '--limit', '--tail', '--lines'),
  ...flagHabit('--limit, --lines, --last', '--limit', '--tail', '--lines'),
  ...flagHabit('--first', '--limit', '--head'),
  ...flagHabit('--since, --after, --from, --newer-than', '--created-from'),
  ...flagHabit('--until, --before, --to, --older-than', '--created-to'),
  ...flagHabit('--mine, --me, --my', '--creator me'),
  ...flagHabit('--author, --user, -u, --actor, --by', '--creator'),
  ...flagHabit('-s, --status, --result, --conclusion', '--state'),
  ...flagHabit('--failed, --failing', '--state failed'),
  ...['running', 'passed', 'blocked', 'canceled', 'scheduled', 'finished'].flatMap((state) =>
    flagHabit(`--${state}`, `--state ${state}`),
  ),
  ...flagHabit('--ref', '--branch', '--commit'),
  ...flagHabit('--sha, --rev, --revision', '--commit'),
  ...flagHabit('--msg, --title', '--message'),
  ...flagHabit('--meta, --metadata', '--meta-data'),
  ...flagHabit('--variable, --var', '--env'),
  ...flagHabit('--retried, --all-jobs, --include-retried', '--include-retried-jobs'),
  ...flagHabit('--log-failed', '--failed'),
  ...flagHabit('--search, --filter, --pattern', '--grep'),
  ...flagHabit('--section, --step-group', '--group'),
  ...flagHabit('-a, --no-limit, --unlimited', '--all'),
  ...flagHabit('-t', '--jq'),
  ...flagHabit('--query, -q', '--jq'),
  ...flagHabit('--format', '--output'),
  ...flagHabit('-j', '--json'),
  ...flagHabit('-v, --verbose, --trace', '--debug'),
  ...flagHabit('--silent', '--quiet'),
  ...flagHabit('--no-prompt, --non-interactive, --batch', '--no-input'),
  ...flagHabit('--no-colour, --no-ansi', '--no-color'),
  ...flagHabit('--assume-yes, --confirm', '--yes'),
  ...flagHabit('--dryrun', '--dry-run'),
  ...flagHabit('--exit-status, --interactive', ''),
  {
    ...{ typed: '--token', meant: ['--with-token', ''] },
    why: 'no flag carries a token: it comes from CICTL_TOKEN, or from auth login',
  },
  ...flagHabit('--build, --build-number, -b, --number', asArgument, '--build'),
  ...flagHabit('--job, --job-id', asArgument),
];
