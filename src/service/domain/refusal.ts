/** Rejects a request: `wrong` can never succeed (400), `invalid` cannot succeed now (422). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: 'wrong' | 'invalid';

  constructor(kind: 'wrong' | 'invalid', message: string) {
    super(message);
    this.kind = kind;
  }
}
