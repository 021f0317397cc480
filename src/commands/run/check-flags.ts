import { usageError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { RunInput } from './request.ts';

type Flag = readonly [name: string, isGiven: boolean];

/** Code 2, naming both, for flags that contradict each other. */
export function checkFlags(input: RunInput, context: Pick<Context, 'out' | 'prompts'>): void {
  const { jobs, step: steps, from, graph } = input;
  const step: Flag = ['--step', steps.length > 0];
  const { out } = context;
  if (jobs !== undefined && jobs < 1) throw usageError(`--jobs takes a number from 1, not ${jobs}`);
  if (graph && ['json', 'jsonl', 'yaml'].includes(out.format))
    throw usageError(`--graph is a form of its own: it cannot be ${out.format}`);
  const fromBuild: Flag = ['--from-build', input.fromBuild !== undefined];
  refuseTogether(fromBuild, ['FILE', input.file !== undefined], ['--from', from !== undefined]);
  const watching: Flag = ['--watch-files', input.watchFiles];
  const shell: Flag = ['--shell-on-failure', input.shellOnFailure];
  const plan: Flag = graph ? ['--graph', true] : ['--plan', input.plan];
  refuseTogether(plan, shell, watching);
  refuseTogether(watching, shell, fromBuild, ['standard input', input.file === '-']);
  refuseTogether(['--agents', input.agents], shell, ...ofThisMachine(input));
  if (input.shellOnFailure) checkShell(input, context);
  refuseTogether(step, ['--from', from !== undefined]);
  if (input.needs && !step[1]) throw usageError('--needs requires --step');
  refuseTogether(fromBuild, ['--needs', input.needs], ['more than one --step', steps.length > 1]);
}

/** What agents elsewhere have no part in. */
const ofThisMachine = ({ jobs, inheritEnv, pluginsFrom, noTty }: RunInput): readonly Flag[] => [
  ['--jobs', jobs !== undefined],
  ['--inherit-env', inheritEnv],
  ['--plugins-from', pluginsFrom !== undefined],
  ['--no-tty', noTty],
];

/** The first with each of the others. */
function refuseTogether(one: Flag, ...others: readonly Flag[]): void {
  const other = others.find(([, isGiven]) => isGiven);
  if (one[1] && other !== undefined)
    throw usageError(`${one[0]} and ${other[0]} cannot be used together`);
}

function checkShell(
  { workspace = 'inplace' }: RunInput,
  { prompts, out }: Pick<Context, 'out' | 'prompts'>,
): void {
  if (workspace !== 'inplace')
    throw usageError(
      `--shell-on-failure and --workspace ${workspace} cannot be used together: ` +
        'that folder is removed when its job has ended',
    );
  if (out.format !== 'table' && prompts.available)
    throw usageError(`--shell-on-failure and -o ${out.format} cannot be used together`);
  if (!prompts.available)
    throw usageError('--shell-on-failure needs a terminal for standard input and output');
}
