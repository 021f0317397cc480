/** `buildkite-agent annotate` and `annotation remove` in jobs of the built-in service. */
import { expect, test } from 'vitest';
import { runJob } from './jobs.ts';

interface Annotation {
  readonly context: string;
  readonly style: string;
  readonly body_html: string;
}

test('creates an annotation, appends to it, and changes only its style', async () => {
  const { file } = await runJob(`
    buildkite-agent annotate '**first**' --style success --context c --priority 7
    echo '* more' | buildkite-agent annotate --append --context=c
    buildkite-agent annotate --context c --style error
    buildkite-agent annotate 'in the default context' --scope job
    buildkite-agent annotate gone --context gone
    buildkite-agent annotation remove --context gone
    cictl annotations list --json > list
  `);
  const annotations = JSON.parse(await file('list')) as Annotation[];
  expect(annotations.map(({ context, style }) => [context, style])).toEqual([
    ['c', 'error'],
    ['default', 'info'],
  ]);
  expect(annotations[0]?.body_html).toMatch(/<strong>first<\/strong>[^]*<li>more<\/li>/);
  expect(annotations[1]?.body_html).toContain('in the default context');
});

test.each([
  ['annotate x --style loud', 'style must be one of success, info, warning, error'],
  ['annotate x --priority 11', 'priority must be between 1 and 10'],
  ['annotate x --priority high', 'invalid value "high" for flag -priority'],
  ['annotate < /dev/null', 'No annotation with the context "default" exists: a body is required'],
  ['annotation remove', 'No annotation with the context "default" found'],
  ['annotate x --context $(printf %0101d 0)', 'context must have at most 100 characters'],
])('`%s` fails: %s', async (words, message) => {
  const { file, log } = await runJob(`buildkite-agent ${words}; echo $? > code`);
  expect(await file('code')).toBe('1\n');
  expect(log).toContain(message);
});

test('rejects more than a mebibyte before sending it', async () => {
  const { file, log } = await runJob(
    `head -c 1048577 /dev/zero | tr '\\0' x | buildkite-agent annotate; echo $? > code`,
  );
  expect(await file('code')).toBe('1\n');
  expect(log).toContain('annotation body size (1048577) exceeds maximum (1048576)');
});
