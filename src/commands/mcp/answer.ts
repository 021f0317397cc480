/** What a caller gets: the output of a command within its budget, cuts marked. */
import { cleanText, dropHidden } from '../../untrusted-text.ts';
import { bytesOf } from './budget.ts';
import { fitJson } from './fit-json.ts';
import { fitText } from './fit-text.ts';
import { cleanValues, mainText, type Output } from './main-text.ts';
import type { AnswerKind } from './tool.ts';

/** The result of `tools/call`. */
export interface ToolAnswer {
  [member: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}

/** How a command ended. */
export interface Outcome {
  readonly output: Output;
  /** What it said on standard error. */
  readonly notes: string;
  /** The JSON of what it failed with. */
  readonly error: string | undefined;
  readonly exitCode: number;
}

/** `budget`: bytes of the whole answer. What came before a failure stands behind the error. */
export function answer(
  { output, notes, error, exitCode }: Outcome,
  kind: AnswerKind,
  budget: number,
): ToolAnswer {
  const first = error === undefined ? [] : [errorText(error, budget)];
  const last = notes.trim() === '' ? [] : [fitText(cleanText(notes).trim(), budget / 8, 'start')];
  const left = [...first, ...last].reduce((sum, text) => sum - bytesOf(text), budget - frame);
  const hasMain = output.text !== '' || (kind === 'list' && error === undefined);
  const texts = [...first, ...(hasMain ? [mainText(output, kind, left)] : []), ...last];
  return {
    // Readers take the first text, and some refuse an empty one.
    content: (texts.length === 0 ? ['nothing found'] : texts).map((text) => ({
      type: 'text',
      // Cut text may end within an emoji.
      text: dropHidden(text),
    })),
    ...(exitCode !== 0 && { isError: true }),
  };
}

/** The answer to a call that did not come as far as a command. */
export const errorAnswer = (error: string, budget: number): ToolAnswer => ({
  content: [{ type: 'text', text: errorText(error, budget) }],
  isError: true,
});

/** Bytes of the answer that are no text of ours. */
const frame = 300;

const errorText = (error: string, budget: number): string =>
  fitJson(cleanValues(JSON.parse(error)), budget / 2, bytesOf).text;
