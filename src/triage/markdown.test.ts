import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { reportMarkdown } from './markdown.ts';
import { failed, sampleReport } from '../../test/support/units/failures.ts';

const hostile = [
  '```',
  '``````\n# out',
  '~~~\n</code></pre><script>alert(1)</script>',
  '`a` ``b`` ```c```',
  '[x](javascript:alert(1)) ![x](https://e.org/p.png) <b>bold</b>',
  '@someone fixes #12 https://e.org',
  '\u2028```\u2029# out',
  '\x1b[2J\u202etxt',
  '<!-- -->\n\n---\n> quote\n- item\n| a |\n|---|',
];

/** The Markdown outside of code, which may only contain our own words. */
const outsideCode = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    .replace(/<pre><code class="language-text">[^<]*<\/code><\/pre>/g, '')
    .replace(/<code>[^<]*<\/code>/g, '')
    .replace(/<\/?(?:h2|h3|ul|li|p)>/g, '');

test.each(hostile)('%j stays inside code at any position', (text) => {
  const markdown = reportMarkdown(
    sampleReport({
      build: { branch: text, commit: text, message: text, web_url: text, cancel_reason: text },
      jobs: [
        failed(text, { step_key: text, signal: text, signal_reason: text, state: text }),
        failed(text, { triggered_build: { number: 3, web_url: text } }),
        failed(text),
        { ...failed(text), state: 'broken' },
      ],
      logs: [text.split('\n'), text],
      notes: [{ context: text, style: 'error', body_html: text }],
    }),
  );
  const words = outsideCode(markdown);
  for (const word of [
    '<',
    'out',
    'alert',
    'bold',
    'someone',
    'e.org',
    'quote',
    'item',
    '@',
    '\x1b',
  ])
    expect(words).not.toContain(word);
});

test('reads well', () => {
  expect(
    reportMarkdown(
      sampleReport({
        build: { message: 'Fix it\n\nreally', commit: 'abc' },
        jobs: [
          failed('test', { exit_status: 3 }),
          failed('lint', { soft_failed: true }),
          { id: '4', type: 'waiter', state: 'waiting_failed' },
          failed('old', { id: '1', retried: true, retried_in_job_id: '2' }),
          { ...failed('old', { id: '2' }), state: 'passed' },
        ],
        logs: [['expected 4', 'got 5'], 'cannot read the log'],
        notes: [{ context: 'junit', style: 'error', body_html: '1 of 5 failed' }],
      }),
    ),
  ).toMatchInlineSnapshot(`
    "## Build \`acme/web/42\` \`failed\`

    - Branch: \`main\`
    - Commit: \`abc\`
    - Message: \`Fix it\`

    3 jobs: 1 passed, 1 failed, 1 soft failed.

    ### \`test: got …\`

    - Job: \`test\`
    - Result: \`failed, exit status 3\`
    - Step: \`test\`

    \`\`\`text
    expected 4
    got 5
    \`\`\`

    ### \`lint\`

    - Job: \`lint\`
    - Result: \`failed, exit status 1, soft failure\`
    - Step: \`lint\`
    - Log: \`cannot read the log\`

    ### Passed on a retry

    - \`old\`: \`retried once; before: failed, exit status 1\`

    ### Annotation \`junit\` (\`error\`)

    \`\`\`text
    1 of 5 failed
    \`\`\`
    "
  `);
});

const shards = Array.from({ length: 12 }, (_, at) =>
  failed(`Test ${at + 1}/12`, { id: `id-${at + 1}`, step_key: 'test' }),
);
const logs = shards.map((_, at) => [`Error: connect ECONNREFUSED 127.0.0.1:${5000 + at}`]);

test('has one heading per cause, which is the same for the next build', () => {
  const markdown = reportMarkdown(sampleReport({ jobs: shards, logs }));
  expect(markdown.match(/^### .*/gm)).toEqual(['### `Error: connect ECONNREFUSED …`']);
  expect(markdown).toContain('\n- 12 jobs: `Test 1/12 … 12/12`\n');
  const next = reportMarkdown(sampleReport({ jobs: shards.slice(3, 4), logs: logs.slice(3, 4) }));
  expect(next.match(/^### .*/gm)).toEqual(markdown.match(/^### .*/gm));
});

test('lists all jobs of a cause on request', () => {
  const markdown = reportMarkdown(sampleReport({ jobs: shards, logs }), { listsJobs: true });
  expect(markdown).toContain('\n12 jobs:\n\n- `Test 1/12`: `id-1`\n- `Test 2/12`: `id-2`\n');
});

test('handles a build without failures', () => {
  expect(reportMarkdown(sampleReport({ build: { state: 'passed' } }))).toBe(
    '## Build `acme/web/42` `passed`\n\n- Branch: `main`\n\n0 jobs.\n',
  );
});

test.each([
  [1, '1 job: 1 failed.'],
  [2, '2 jobs: 2 failed.'],
])('counts %d jobs in the singular or plural', (count, words) => {
  const jobs = Array.from({ length: count }, (_, at) => failed(`test ${at}`, { id: String(at) }));
  expect(reportMarkdown(sampleReport({ jobs }))).toContain(`\n${words}\n`);
});
