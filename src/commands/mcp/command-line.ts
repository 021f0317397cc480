/** From what a caller gave to the command line of the tool's command. */
import { usageError } from '../../errors.ts';
import { budgetOf } from './budget.ts';
import { isJson, parametersOf, type Parameter } from './parameters.ts';
import type { Texts } from './read-values.ts';
import type { Tool } from './tool.ts';

/** The arguments of `cictl`. Code 2 for what would read a file or the environment of the server. */
export function commandLine(tool: Tool, texts: Texts): string[] {
  const parameters = parametersOf(tool);
  const words = parameters.flatMap(({ name, place }) =>
    place === 'word' ? (texts.get(name) ?? []) : [],
  );
  checkMissing(tool, texts);
  checkReach(tool, words, texts);
  const all = [
    ...tool.command.name.split(' '),
    ...(tool.flags ?? []),
    ...outputFlags(tool, texts),
    ...tailFlags(tool, texts),
    ...budgetFlags(tool, texts),
    ...parameters.flatMap((parameter) => flagsOf(parameter, texts.get(parameter.name) ?? [])),
    ...['--no-input', '--no-color', ...(tool.command.mutates ? ['--yes'] : [])],
  ];
  // What follows `--` is a program to a command that passes it through.
  return [...all, ...(tool.command.passThrough !== undefined ? [] : ['--']), ...words];
}

function flagsOf({ place, schema }: Parameter, texts: readonly string[]): string[] {
  if (typeof place !== 'object') return [];
  if (schema.type === 'boolean') return texts.includes('true') ? [place.flag] : [];
  return texts.map((one) => `${place.flag}=${one}`);
}

function checkMissing({ name, required = [] }: Tool, texts: Texts): void {
  const missing = required.filter((key) => !texts.has(key));
  if (missing.length > 0) throw usageError(`${name} needs ${missing.join(' and ')}`);
}

/** A caller gets at the service, and at nothing of this machine: no program, file or variable. */
function checkReach({ name, command }: Tool, words: readonly string[], texts: Texts): void {
  const flag = words.find((text) => command.passThrough !== undefined && text.startsWith('-'));
  if (flag !== undefined) throw usageError(`${name} takes no "${flag}"`);
  if (name === 'builds_create' && texts.get('body')?.some((text) => text.startsWith('@')))
    throw usageError('body is the JSON itself: no file is read here');
  const variable = texts.get('env')?.find((text) => !text.includes('='));
  if (variable !== undefined)
    throw usageError(`env takes K=V, not "${variable}": no variable of this machine goes out`);
}

const isOn = (texts: Texts, name: string): boolean => texts.get(name)?.includes('true') === true;

function outputFlags(tool: Tool, texts: Texts): string[] {
  if (!isJson(tool) || isOn(texts, 'markdown')) return [];
  const isChosen =
    texts.has('jq') || texts.has('fields') || isOn(texts, 'dry_run') || isOn(texts, 'summary');
  const fields = tool.fields === undefined || isChosen ? [] : [`--fields=${tool.fields}`];
  if (tool.flags !== undefined) return fields;
  // Of a list each element comes as soon as it is there: what is too much is not even asked for.
  const format = tool.kind === 'list' && !texts.has('jq') ? 'jsonl' : 'json';
  return [`--output=${format}`, ...fields];
}

/** The end of a log says most; what is chosen by other means comes as it was chosen. */
function tailFlags({ name }: Tool, texts: Texts): string[] {
  const isChosen = ['head', 'tail', 'grep', 'group', 'groups'].some((key) => texts.has(key));
  return name === 'job_log' && !isChosen ? ['--tail=200'] : [];
}

/** The report chooses by what says most, which is better than to cut it afterwards. */
const budgetFlags = ({ name }: Tool, texts: Texts): string[] =>
  name === 'builds_failures' ? [`--max-bytes=${Math.floor(budgetOf(texts) / 2)}`] : [];
