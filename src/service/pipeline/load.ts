/** A pipeline file -> a plan, or every problem that it has, before anything runs. */
import { CictlError } from '../../errors.ts';
import { parseDocument } from './yaml/document.ts';
import type { BuildFacts } from './facts.ts';
import { checkKeys, pipelineKeys } from './keys.ts';
import type { Plan, Step } from './plan.ts';
import { isNull, type Reading } from './reading.ts';
import { readAgents } from './steps/agents.ts';
import { readStep } from './steps/step.ts';
import type { SourcePosition, Value } from './value.ts';
import { readVariables } from './variables.ts';

export interface LoadOptions {
  /** How the file is called in messages. */
  readonly file: string;
  /** Variables known when the file is read: those of the build, and `buildVariables`. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that jobs get from this machine (`hostVariables`); they come last. */
  readonly host?: Readonly<Record<string, string>>;
  /** The build that the conditions of the file ask for; none holds where it is left out. */
  readonly facts?: BuildFacts;
  /**
   * Files that differ from the default branch, relative to the checkout; null where that cannot be
   * found out (then all have changed, with a notice).
   */
  readonly changedFiles?: readonly string[] | null;
}

const maxSteps = 500;

/**
 * Reads a pipeline file: a mapping with `steps`, or a bare list of them, in YAML 1.2 or JSON.
 *
 * Throws `CictlError` `usage` whose details are all problems, each `file:line:column: text`.
 * Notices have the same form.
 */
export function loadPipeline(text: string, options: LoadOptions): Plan {
  const problems = new Map<string, SourcePosition[]>();
  const notices = new Map<string, SourcePosition[]>();
  const env = new Map<string, string>();
  const reading: Reading = {
    problem: (at, problem) => note(problems, problem, at),
    notice: (at, notice) => note(notices, notice, at),
    // As in the public parser: what the file sets hides what the build was given.
    lookup: (name) => env.get(name) ?? own(options.env, name),
    host: (name) => own(options.host ?? {}, name),
  };
  const root = parseDocument(text, reading.problem);
  const steps = root === undefined ? [] : readPipeline(reading, root, env);
  if (problems.size > 0) throw refused(options.file, every(options.file, problems));
  return { env: Object.fromEntries(env), steps, notices: once(options.file, notices) };
}

const own = (variables: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;

function note(notes: Map<string, SourcePosition[]>, text: string, at: SourcePosition): undefined {
  const positions = notes.get(text) ?? [];
  if (!positions.some((one) => one.line === at.line && one.column === at.column))
    positions.push(at);
  notes.set(text, positions);
}

function readPipeline(reading: Reading, root: Value, env: Map<string, string>): Step[] {
  if (root.kind === 'list') return readSteps(reading, root, root.at, []);
  if (root.kind === 'scalar') {
    reading.problem(root.at, 'a pipeline must be a mapping with `steps`, or a list of steps');
    return [];
  }
  checkKeys(reading, root, pipelineKeys);
  readVariables(reading, root.entries.get('env'), (name, value) => env.set(name, value));
  const agents = root.entries.get('agents');
  const rules = agents ? readAgents(reading, agents) : [];
  const steps = root.entries.get('steps');
  return readSteps(reading, steps?.value, steps?.at ?? root.at, rules);
}

function readSteps(
  reading: Reading,
  list: Value | undefined,
  at: SourcePosition,
  agentQueryRules: readonly string[],
): Step[] {
  if (list !== undefined && list.kind !== 'list' && !isNull(list)) {
    reading.problem(list.at, '`steps` must be a list');
    return [];
  }
  const values = list?.kind === 'list' ? list.items : [];
  if (values.length === 0) reading.problem(at, 'the pipeline has no steps');
  if (values.length > maxSteps) reading.problem(at, `more than ${maxSteps} steps`);
  const lines = new Map<string, number>();
  return values.flatMap((value, definition) => {
    const read = readStep(reading, value, { agentQueryRules });
    if (read === undefined) return [];
    const step = { ...read, definition };
    if (step.key === null) return [step];
    const before = lines.get(step.key);
    if (before === undefined) lines.set(step.key, step.line);
    else
      reading.problem(value.at, `the key \`${step.key}\` is taken by the step in line ${before}`);
    return [step];
  });
}

function refused(file: string, details: readonly string[]): CictlError {
  const count = details.length === 1 ? 'a problem' : `${details.length} problems`;
  return new CictlError('usage', `the pipeline file ${file} has ${count}`, { details });
}

/** All places of all problems, in the order of the file. */
function every(file: string, problems: ReadonlyMap<string, readonly SourcePosition[]>): string[] {
  const all = [...problems].flatMap(([text, positions]) => positions.map((at) => ({ text, at })));
  all.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  return all.map(({ text, at }) => problemText(file, at, text));
}

/** Each notice once, at its first place. */
const once = (file: string, notices: ReadonlyMap<string, readonly SourcePosition[]>): string[] =>
  [...notices].flatMap(([text, [at, ...others]]) => {
    const more =
      others.length > 0
        ? ` (and in ${others.length} more ${others.length === 1 ? 'place' : 'places'})`
        : '';
    return at ? [problemText(file, at, text) + more] : [];
  });

const problemText = (file: string, { line, column }: SourcePosition, text: string): string =>
  `${file}:${line}:${column}: ${text}`;
