/**
 * A request that is understood and refused because of the state of things. `wrong` is a request
 * that this kind of thing never allows (400), `invalid` one that it does not allow now (422).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: 'wrong' | 'invalid';

  constructor(kind: 'wrong' | 'invalid', message: string) {
    super(message);
    this.kind = kind;
  }
}
