import { expect, test } from 'vitest';
import { finishedBuild } from '../../../test/support/finished-builds.ts';
import { collectBuildStats } from '../timeline.ts';
import { statsDocument } from './stats-document.tsx';

function pageOf(words: readonly string[]): string {
  const collector = collectBuildStats();
  words.forEach((word, index) => collector.add(finishedBuild(words.length - index, word)));
  return statsDocument(collector.stats({ organization: 'acme', pipeline: 'web', branches: [] }), 0);
}

const manySteps = (count: number): string =>
  Array.from({ length: count }, (_, index) => `step-${index}:passed`).join(' ');

test('shows the hundred most important steps, and the number of others', () => {
  expect(pageOf([manySteps(100)])).not.toContain('more steps');
  const page = pageOf([manySteps(130)]);
  expect(page.match(/<th scope="row">/g)).toHaveLength(100);
  expect(page).toContain('And 30 more steps');
});

test('a bar is red in proportion to its failed builds', () => {
  const page = pageOf(['test:failed', 'test:passed', 'test:passed']);
  expect(page).toContain(
    'aria-label="Duration of all builds, oldest to newest: 10s, 10s, 10s (0% passed)"',
  );
  expect(page.match(/class="failed"/g)).toHaveLength(2);
  expect(page).toContain('Each bar is one build');
  expect(pageOf(Array<string>(21).fill('test:passed'))).toContain(
    'Each bar is the median of several builds',
  );
});

test('names the branches in the title', () => {
  const { stats } = collectBuildStats();
  const titleOf = (branches: string[]) =>
    /<h1>(?:<bdi>)?([^<]*)/.exec(
      statsDocument(stats({ organization: 'acme', pipeline: 'web', branches }), 0),
    )?.[1];
  expect(titleOf([])).toBe('Builds of web');
  expect(titleOf(['main', 'dev'])).toBe('Builds of web on main, dev');
});

test.each([
  [1, 'once'],
  [2, '2 times'],
])('counts how often a step was flaky: %d', (count, words) => {
  const page = pageOf(Array<string>(count).fill('test:failed test:passed'));
  expect(page).toContain(`<strong><bdi>Run test</bdi></strong> ${words}`);
});

test('empty statistics show nothing', () => {
  expect(pageOf([])).toContain('No finished builds found.');
});
