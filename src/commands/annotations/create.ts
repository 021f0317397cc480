import { annotation } from '../../api/resources/annotation.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { resolveBuild } from '../../refs/resolve.ts';
import { decodeText, readBytes } from '../read-value.ts';
import type { annotate } from './index.ts';

type AnnotateInput = Input<typeof annotate>;

/** `cictl annotate [BODY]`; what the service would refuse is refused before anything is sent. */
export const createAnnotation: Handler<typeof annotate> = async (input, context) => {
  const { priority, style, context: name, append } = input;
  checkPriority(priority);
  if (name !== undefined && Array.from(name).length > 100)
    throw usageError('--context is at most 100 characters');
  const body = await readBody(input, context);
  if (body === '') throw usageError('the body of an annotation must not be empty');
  const ref = await resolveBuild(context, input.build, { mutates: true, surroundingJob: true });
  const { annotations } = await context.client();
  await context.out.changed(
    annotation,
    () =>
      annotations.create(ref, {
        body,
        ...(style !== undefined && { style }),
        ...(name !== undefined && { context: name }),
        ...(priority !== undefined && { priority }),
        ...(append && { append }),
      }),
    append ? 'added to' : 'created',
  );
};

function checkPriority(priority: number | undefined): void {
  if (priority !== undefined && (priority < 1 || priority > 10)) {
    throw usageError(`--priority is 1 to 10, not ${priority}`);
  }
}

async function readBody({ body, file }: AnnotateInput, context: Context): Promise<string> {
  if (body !== undefined && file !== undefined)
    throw usageError('BODY and --file cannot be used together');
  if (file !== undefined) return decodeText(await readBytes(file, context), file);
  if (body !== undefined && body !== '-') return body;
  if (body === undefined && context.stdin.isTerminal) {
    throw usageError('annotate needs a body', 'cictl annotate "text"');
  }
  return decodeText(await context.stdin.read('BODY'), 'standard input');
}
