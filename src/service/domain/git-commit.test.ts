import { expect, test } from 'vitest';
import { withGitCommit } from './git-commit.ts';
import type { Build } from './records.ts';

const sha = 'a'.repeat(40);
const text = `commit ${sha}\nabbrev-commit aaaaaaa\nAuthor: Bea Example <bea@example.com>\n\n    Fix it\n    \n    For good.\n`;
const ann = { name: 'Ann', email: 'ann@example.com' };
const bea = { name: 'Bea Example', email: 'bea@example.com' };
const asked = { commit: 'HEAD', message: '', author: ann } as Build;

test('sets commit, message and author of a build created without them', () => {
  const found = { commit: sha, message: 'Fix it\n\nFor good.', author: bea };
  expect(withGitCommit(asked, text, ann)).toEqual(found);
  expect(withGitCommit({ ...asked, commit: sha }, text, ann)).toEqual(found);
});

test('keeps given values, and ignores another commit or malformed text', () => {
  const given = { ...asked, message: 'm', author: { name: 'Cy', email: '' } };
  expect(withGitCommit(given, text, ann)).toEqual({ ...given, commit: sha });
  const other = { ...asked, commit: 'b'.repeat(40) };
  expect(withGitCommit(other, text, ann)).toEqual(other);
  expect(withGitCommit(asked, 'commit HEAD', ann)).toEqual(asked);
});
