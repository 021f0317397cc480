/** Members that builds and jobs of the scene share. */
export const site = 'https://ci.example.org';

/** A time on 20 November 2026, or on an earlier `day` of that month. */
export const at = (time: string, day = 20): string =>
  `2026-11-${String(day).padStart(2, '0')}T${time}Z`;

/** An ID that is the same in each run: `kind` is a hexadecimal digit, `n` a number. */
export const idOf = (kind: string, n: number): string =>
  `0${kind}93b7e2-4d1c-4${kind}aa-8f00-${String(n).padStart(12, '0')}`;

const person = (n: number, name: string, email: string) => ({
  ...{ id: idOf('a', n), graphql_id: `VXNlci0tLQ${n}`, name, email },
  ...{ avatar_url: `${site}/avatars/${n}`, created_at: at('09:00:00', 1) },
});

export const people = {
  ada: person(1, 'Ada Lovelace', 'ada@example.org'),
  yamada: person(2, '山田 太郎', 'yamada@example.org'),
  grace: person(3, 'Rear Admiral Grace Brewster Murray Hopper', 'grace@example.org'),
};
