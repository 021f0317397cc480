import { expect, test } from 'vitest';
import { aborted, onAbort } from './abort.ts';

test('rejects with the reason, whenever the signal is aborted', async () => {
  const reason = new Error('enough');
  await expect(aborted(AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const waiting = aborted(controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test('calls once, and not after the listener was taken away', () => {
  const controller = new AbortController();
  const seen: unknown[] = [];
  onAbort(controller.signal, (reason) => seen.push(reason));
  onAbort(controller.signal, () => seen.push('never'))();
  controller.abort('now');
  expect(seen).toEqual(['now']);
});
