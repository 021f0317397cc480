import { onAbort } from '../../abort.ts';
import type { Context } from '../../context.ts';
import { CictlError, toJson, usageError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import { answer, errorAnswer, type ToolAnswer } from './answer.ts';
import { budgetOf, usualBytes } from './budget.ts';
import { createCollector } from './collector.ts';
import { commandLine } from './command-line.ts';
import { parametersOf } from './parameters.ts';
import { readValues, type Given } from './read-values.ts';
import type { Tool } from './tool.ts';
import { toolsFor } from './tools.ts';

/** A call as it came. */
export interface Call {
  readonly name: string;
  readonly given: Given;
  /** Aborted when the caller has taken it back. */
  readonly signal: AbortSignal;
}

/** Runs the command of a tool. What fails is an answer, too: `isError`, with the error as JSON. */
export async function callTool(
  { name, given, signal }: Call,
  tools: readonly Tool[],
  context: Context,
): Promise<ToolAnswer> {
  const redact = (text: string): string => context.secrets.redact(text);
  let budget = usualBytes;
  try {
    const tool = find(name, tools);
    const texts = readValues(tool.name, parametersOf(tool), given);
    budget = budgetOf(texts);
    const args = commandLine(tool, texts);
    const kind = texts.has('jq') ? 'text' : tool.kind;
    const part = args.some((arg) => arg.startsWith('--tail=')) ? 'end' : 'start';
    // Secrets are found before the text is cut: one that a cut goes through must not be missed.
    const most = kind === 'document' ? wholeDocument : 2 * budget + spare;
    const [collector, notes] = [createCollector(most, part), createCollector(spare, 'start')];
    const ended = await context.run(args, {
      ...{ stdout: collector.stream, stderr: notes.stream },
      signal: AbortSignal.any([context.signal, takenBack(signal)]),
    });
    const output = { collector, part, text: redact(collector.text()) } as const;
    const said = redact(notesOf(notes.text(), context));
    return answer({ ...ended, output, notes: said }, kind, budget);
  } catch (error) {
    context.signal.throwIfAborted();
    return errorAnswer(toJson(error, redact), budget);
  }
}

/** The protocol's own reason is any text, and not one of our errors. */
function takenBack(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  onAbort(signal, () => controller.abort(new CictlError('interrupted', 'the call was taken back')));
  return controller.signal;
}

/** What `--debug` says is for who started the server. */
function notesOf(text: string, { settings, messages }: Context): string {
  if (!settings.debug) return text;
  if (text !== '') messages.error(text.trimEnd());
  return '';
}

const spare = 16_384;
/** Bytes of one that is read whole before it is made smaller. */
const wholeDocument = 64 * 1024 * 1024;

function find(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  if (toolsFor(true).some((one) => one.name === name))
    throw usageError(`${name} changes something`, 'cictl mcp --allow-changes');
  const names = tools.map((one) => one.name);
  throw usageError(`there is no tool ${name}${didYouMean(name, names)}`);
}
