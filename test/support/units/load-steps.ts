import { CictlError } from '../../../src/errors.ts';
import { loadPipeline } from '../../../src/service/pipeline/load.ts';
import type { CommandStep, Plan, Step } from '../../../src/service/pipeline/plan.ts';

export const load = (text: string, env: Record<string, string> = {}): Plan =>
  loadPipeline(text, { file: 'p.yml', env });

/** The first step, which must have the expected type. */
export function first(text: string, env: Record<string, string> = {}): CommandStep {
  const [step] = load(text, env).steps;
  if (step?.type !== 'command') throw new Error('the first step is not a command');
  return step;
}

/** The key, label or type of each step. */
export const names = (steps: readonly Step[]): string[] =>
  steps.map(({ key, label, type }) => key ?? label ?? type);

/** The error messages without the file name; empty if the file is valid. */
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
