import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { aborted, onAbort } from './abort.ts';

test('rejects with the reason, before or after the abort', async () => {
  const reason = new Error('enough');
  await expect(aborted(AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const waiting = aborted(controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test('calls once, and not after the listener was removed', () => {
  const controller = new AbortController();
  const seen: unknown[] = [];
  onAbort(controller.signal, (reason) => seen.push(reason));
  onAbort(controller.signal, () => seen.push('never'))();
  controller.abort('now');
  expect(seen).toEqual(['now']);
});

test('many listeners cause no warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): number => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.removeListener('warning', note));
  const { signal } = new AbortController();
  for (let count = 0; count < 30; count++) onAbort(signal, () => undefined);
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});
