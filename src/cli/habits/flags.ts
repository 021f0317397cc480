/** Flags that hands type from other tools, each with what may be meant by it. */

export interface FlagHabit {
  readonly typed: string;
  /** The first counts whose flag the command has; an empty one means that nothing is needed. */
  readonly meant: readonly string[];
  /** Its value is not taken over; what the user should know instead. */
  readonly why?: string;
}

const row = (typed: string, ...meant: string[]): FlagHabit[] =>
  typed.split(', ').map((flag) => ({ typed: flag, meant }));

/** What stands for a build that is an argument of the command: `--build 12` is `12`. */
export const asArgument = 'ARGUMENT';

export const flagHabits: readonly FlagHabit[] = [
  ...row('-w', '--web', '--watch'),
  ...row('--browser, --open', '--web'),
  ...row('--wait', '--watch'),
  ...row('-f', '--follow', '--yes'),
  ...row('--force', '--yes'),
  ...row('--tail, --stream', '--follow'),
  ...row('-R, --repo, --workflow, --project', '--pipeline'),
  ...row('--organization, --organisation, --owner, -O', '--org'),
  ...row('-n, --count, --max, --max-count, --per-page', '--limit', '--tail', '--lines'),
  ...row('--limit, --lines, --last', '--limit', '--tail', '--lines'),
  ...row('--first', '--limit', '--head'),
  ...row('--since, --after, --from, --newer-than', '--created-from'),
  ...row('--until, --before, --to, --older-than', '--created-to'),
  ...row('--mine, --me, --my', '--creator me'),
  ...row('--author, --user, -u, --actor, --by', '--creator'),
  ...row('-s, --status, --result, --conclusion', '--state'),
  ...row('--failed, --failing', '--state failed'),
  ...['running', 'passed', 'blocked', 'canceled', 'scheduled', 'finished'].flatMap((state) =>
    row(`--${state}`, `--state ${state}`),
  ),
  ...row('--ref', '--branch', '--commit'),
  ...row('--sha, --rev, --revision', '--commit'),
  ...row('--msg, --title', '--message'),
  ...row('--meta, --metadata', '--meta-data'),
  ...row('--variable, --var', '--env'),
  ...row('--retried, --all-jobs, --include-retried', '--include-retried-jobs'),
  ...row('--log-failed', '--failed'),
  ...row('--search, --filter, --pattern', '--grep'),
  ...row('--section, --step-group', '--group'),
  ...row('-a, --no-limit, --unlimited', '--all'),
  ...row('-t', '--jq'),
  ...row('--query, -q', '--jq'),
  ...row('--format', '--output'),
  ...row('-j', '--json'),
  ...row('-v, --verbose, --trace', '--debug'),
  ...row('--silent', '--quiet'),
  ...row('--no-prompt, --non-interactive, --batch', '--no-input'),
  ...row('--no-colour, --no-ansi', '--no-color'),
  ...row('--assume-yes, --confirm', '--yes'),
  ...row('--dryrun', '--dry-run'),
  ...row('--exit-status, --interactive', ''),
  {
    ...{ typed: '--token', meant: ['--with-token', ''] },
    why: 'no flag carries a token: it comes from CICTL_TOKEN, or from auth login',
  },
  ...row('--build, --build-number, -b, --number', asArgument, '--build'),
  ...row('--job, --job-id', asArgument),
];
