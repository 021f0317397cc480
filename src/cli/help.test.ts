import { expect, test } from 'vitest';
import { helpText } from './help.ts';

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
  '%s, which every object has, is no topic',
  async (word) => {
    await expect(helpText([word])).rejects.toThrow(`no help for "${word}"`);
  },
);
