import { describe, expect, test } from 'vitest';

test('held', () => expect(1).toBe(1));
test.each([1, 2])('held: %i', (number) => expect(number).toBeGreaterThan(0));
describe('a suite', () => {
  test('held', () => expect(1).toBe(1));
});
test.skip('skipped', () => expect(1).toBe(1));
test('without a row', () => expect(1).toBe(1));
