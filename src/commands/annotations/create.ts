import { annotation } from '../../api/resources/annotation.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { decodeText, readFileText } from '../read-value.ts';
import type { annotate } from './index.ts';

/** Checks the service's limits before anything is sent. */
export const createAnnotation: Handler<typeof annotate> = async (input, context) => {
  const { priority, style, context: name, append } = input;
  if (priority !== undefined && (priority < 1 || priority > 10))
    throw usageError(`--priority must be between 1 and 10, not ${priority}`);
  if (name !== undefined && Array.from(name).length > 100)
    throw usageError('--context must be at most 100 characters');
  const body = await readBody(input, context);
  if (body === '') throw usageError('the body of the annotation is empty');
  const ref = await resolveBuild(context, input.build, { mutates: true, surroundingJob: true });
  const { annotations } = await context.client();
  const request = {
    body,
    ...(style !== undefined && { style }),
    ...(name !== undefined && { context: name }),
    ...(priority !== undefined && { priority }),
    ...(append && { append }),
  };
  const verb = append ? 'added to' : 'created';
  await context.out.changed(annotation, () => annotations.create(ref, request), verb);
};

async function readBody({ body, file }: Input<typeof annotate>, context: Context): Promise<string> {
  if (body !== undefined && file !== undefined)
    throw usageError('BODY and --file cannot be used together');
  if (file !== undefined) return readFileText(file, context);
  if (body !== undefined && body !== '-') return body;
  if (body === undefined && context.stdin.isTerminal)
    throw usageError('annotate requires a body', 'cictl annotate "text"');
  return decodeText(await context.stdin.read('BODY'), 'standard input');
}
