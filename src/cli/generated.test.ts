import { expect, test } from 'vitest';
import { escape, item, manualSection, verbatim } from './generated.ts';

test.each([
  ['.starts with a dot', String.raw`\&.starts with a dot`],
  ["'starts with a quote", String.raw`\(aqstarts with a quote`],
  ['a\n.b\n\n...c', String.raw`a` + '\n' + String.raw`\&.b` + '\n\n' + String.raw`\&...c`],
  ['--all-orgs', String.raw`\-\-all\-orgs`],
  [String.raw`\t \n \\`, String.raw`\(rst \(rsn \(rs\(rs`],
  ['say "yes" to `that`', String.raw`say \(dqyes\(dq to \(gathat\(ga`],
  ['HEAD^ and HEAD~1', String.raw`HEAD\(ha and HEAD\(ti1`],
  ['more … 😀', String.raw`more \[u2026] \[u1F600]`],
])('%j', (text, roff) => {
  expect(escape(text)).toBe(roff);
});

test('omits a section without lines', () => {
  expect(manualSection('ARGUMENTS')).toEqual([]);
  expect(manualSection('SEE ALSO', 'x')).toEqual(['.SH SEE ALSO', 'x']);
});

test('text of items and blocks is not interpreted', () => {
  expect(item('x', '.env')).toEqual(['.TP', 'x', String.raw`\&.env`]);
  expect(verbatim('  a\n.b\n')).toEqual(['.nf', '  a\n\\&.b', '.fi']);
});
