/** A valid request that is rejected: `wrong` can never succeed (400), `invalid` not now (422). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: 'wrong' | 'invalid';

  constructor(kind: 'wrong' | 'invalid', message: string) {
    super(message);
    this.kind = kind;
  }
}
