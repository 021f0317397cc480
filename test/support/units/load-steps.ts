/** Loads pipelines for tests. */
import { CictlError } from '../../../src/errors.ts';
import { loadPipeline } from '../../../src/service/pipeline/load.ts';
import type { CommandStep, Plan, Step } from '../../../src/service/pipeline/plan.ts';

export const load = (text: string, env: Record<string, string> = {}): Plan =>
  loadPipeline(text, { file: 'p.yml', env });

/** The first step, which must be of that type. */
export function first(text: string, env: Record<string, string> = {}): CommandStep {
  const [step] = load(text, env).steps;
  if (step?.type !== 'command') throw new Error('the first step is no command');
  return step;
}

/** Each step by its key, its label or its type. */
export const names = (steps: readonly Step[]): string[] =>
  steps.map(({ key, label, type }) => key ?? label ?? type);

/** What is wrong, without the name of the file; none for a file that is accepted. */
export function problems(text: string): readonly string[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof CictlError && error.kind === 'usage')
      return error.details.map((line) => line.replace(/^p\.yml:/, ''));
    throw error;
  }
  return [];
}
