/** A pipeline file as it is after its variables have been put in, and nothing else has been read. */
import { stringify } from 'yaml';
import { CictlError } from '../../errors.ts';
import type { LoadOptions } from './load.ts';
import { createNotes } from './notes.ts';
import type { Json } from './plan.ts';
import { roomForTexts, type Reading } from './reading.ts';
import { readJson } from './steps/json.ts';
import type { Value } from './value.ts';
import { readVariables } from './variables.ts';
import { parseDocument } from './yaml/document.ts';

/**
 * The file as JSON or YAML text; a bare list is put below `steps`. Throws `CictlError` `usage` as
 * `loadPipeline` does.
 */
export function fillIn(text: string, options: LoadOptions, format: 'json' | 'yaml'): string {
  const problems = createNotes();
  const env = new Map<string, string>();
  const own = (variables: LoadOptions['env'], name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] : undefined;
  const reading: Reading = {
    problem: problems.add,
    notice: () => undefined,
    lookup: (name) => env.get(name) ?? own(options.env, name),
    host: (name) => own(options.host ?? {}, name),
    isLiteral: options.isLiteral ?? false,
    didYouMean: () => '',
    room: roomForTexts(),
  };
  const root = parseDocument(text, reading.problem);
  const filled = root === undefined ? null : fill(reading, root, env);
  if (!problems.isEmpty)
    throw new CictlError('usage', `the pipeline file ${options.file} has problems`, {
      details: problems.every(options.file),
    });
  return format === 'yaml' ? stringify(filled) : `${JSON.stringify(filled, null, 2)}\n`;
}

function fill(reading: Reading, root: Value, env: Map<string, string>): Json {
  if (root.kind === 'mapping')
    readVariables(reading, root.entries.get('env'), (name, value) => env.set(name, value));
  const json = readJson(reading, root);
  return Array.isArray(json) ? { steps: json } : json;
}
