import { expect, test } from 'vitest';
import fc from 'fast-check';
import { createSentForms, linesText, pairsOfLines } from './forms.ts';
import type { PageContent } from './page-call.ts';
import type { Session } from './sessions.ts';

const newSession = (): Session => ({
  ...{ userId: 'u', tokenHash: undefined, formToken: 'form_1', until: 1 },
});
const form = (once: string, more = ''): URLSearchParams =>
  new URLSearchParams(`once=${once}&message=${more}`);

/** Counts the actions, and redirects to another location each time. */
function counter() {
  let count = 0;
  return () => ({ location: `/${++count}` });
}

test('submitting a form again redirects to the same place', async () => {
  const [sendOnce, act] = [createSentForms(), counter()];
  const session = newSession();
  const send = (path: string, sent: URLSearchParams, by = session) =>
    sendOnce({ session: by, path, form: sent }, act);
  const both = await Promise.all([send('/a', form('x')), send('/a', form('x'))]);
  expect([...both, await send('/a', form('x'))]).toEqual(Array(3).fill({ location: '/1' }));
  expect(await send('/b', form('x'))).toEqual({ location: '/2' });
  expect(await send('/a', form('y'))).toEqual({ location: '/3' });
  expect(await send('/a', form('x', 'typed anew'))).toEqual({ location: '/4' });
  expect(await send('/a', form('x'), newSession())).toEqual({ location: '/5' });
});

test('a form without an id is processed each time', async () => {
  const [sendOnce, act] = [createSentForms(), counter()];
  const sent = { session: newSession(), path: '/a', form: new URLSearchParams() };
  expect([await sendOnce(sent, act), await sendOnce(sent, act)]).toEqual([
    { location: '/1' },
    { location: '/2' },
  ]);
});

test('a rejected or failed form can be submitted again', async () => {
  const [sendOnce, act] = [createSentForms(), counter()];
  const sent = { session: newSession(), path: '/a', form: form('x') };
  const refused: PageContent = { status: 422, title: '', crumbs: [], body: '' };
  expect(await sendOnce(sent, () => refused)).toBe(refused);
  await expect(sendOnce(sent, () => Promise.reject(new Error('none')))).rejects.toThrow('none');
  expect(await sendOnce(sent, act)).toEqual({ location: '/1' });
});

test('remembers the last hundred forms', async () => {
  const [sendOnce, act] = [createSentForms(), counter()];
  const session = newSession();
  const send = (n: number) => sendOnce({ session, path: '/a', form: form(`n${n}`) }, act);
  for (let n = 1; n <= 101; n++) await send(n);
  expect(await send(2)).toEqual({ location: '/2' });
  expect(await send(1)).toEqual({ location: '/102' });
});

test('a value extends to the end of its line, whatever it contains', () => {
  expect(pairsOfLines('A=1\n\n B = x=y \nC=', 'Environment')).toEqual({
    pairs: { A: '1', B: ' x=y ', C: '' },
    problems: [],
  });
});

test('reports a line that is not a pair and a repeated name', () => {
  expect(pairsOfLines('A=1\nfoo\n=x\nA=2', 'Environment').problems).toEqual([
    'Environment, line 2: must be NAME=VALUE',
    'Environment, line 3: must be NAME=VALUE',
    'Environment, line 4: A is a duplicate',
  ]);
});

test('pairs written as lines are read back', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]*$/);
  const value = fc.string().map((text) => text.replace(/[\r\n]/g, ' '));
  fc.assert(
    fc.property(fc.dictionary(name, value), (pairs) => {
      const text = Object.entries(pairs).map(([key, one]) => `${key}=${one}\r\n`);
      expect(Object.entries(pairsOfLines(linesText(text.join('')), 'Environment').pairs)).toEqual(
        Object.entries(pairs),
      );
    }),
  );
});
