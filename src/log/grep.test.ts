import { expect, test } from 'vitest';
import { grep, type GrepOptions } from './grep.ts';

const lines = 'm1\nx\nm2\nm3\ny\nz\nm4\n';

const view = (log: string, options: Partial<GrepOptions>): string => {
  const stage = grep({ pattern: /m/, ...options });
  return stage.push(log) + stage.end();
};

// As GNU grep prints them, with the flags of the same values.
test.each<[Partial<GrepOptions>, string]>([
  [{}, 'm1\nm2\nm3\nm4\n'],
  [{ after: 0 }, 'm1\n--\nm2\nm3\n--\nm4\n'],
  [{ before: 0 }, 'm1\n--\nm2\nm3\n--\nm4\n'],
  [{ before: 0, after: 0 }, 'm1\n--\nm2\nm3\n--\nm4\n'],
  [{ after: 1 }, 'm1\nx\nm2\nm3\ny\n--\nm4\n'],
  [{ before: 1, after: 0 }, 'm1\nx\nm2\nm3\n--\nz\nm4\n'],
  [{ before: 0, after: 1 }, 'm1\nx\nm2\nm3\ny\n--\nm4\n'],
  [{ invert: true, after: 0 }, 'x\n--\ny\nz\n'],
  [{ pattern: /y/, after: 0 }, 'y\n'],
  [{ pattern: /m|x/, after: 0 }, 'm1\nx\nm2\nm3\n--\nm4\n'],
])('parts the groups of %j', (options, expected) => {
  expect(view(lines, options)).toBe(expected);
});
