import { expect, test } from 'vitest';

test.skip('the only one', () => expect(1).toBe(1));
