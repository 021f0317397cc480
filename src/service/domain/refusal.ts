/** Rejects a well-formed request: `wrong` never succeeds (400), `invalid` fails for now (422). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: 'wrong' | 'invalid';

  constructor(kind: 'wrong' | 'invalid', message: string) {
    super(message);
    this.kind = kind;
  }
}
