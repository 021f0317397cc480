/** Thrown if a request can never succeed (`wrong`, 400) or cannot succeed now (`invalid`, 422). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: 'wrong' | 'invalid';

  constructor(kind: 'wrong' | 'invalid', message: string) {
    super(message);
    this.kind = kind;
  }
}
