/** A condition as it is read: every node knows the column at which it begins. */
import type { Regex } from '../regex/parse-regex.ts';

interface At {
  readonly column: number;
}

export type Comparison = '==' | '!=';
export type Match = '=~' | '!~';

export type Node = At &
  (
    | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
    /** `"…"` with its variables (`$X`, `${X}`) apart; one without quotes has a single part. */
    | { readonly kind: 'text'; readonly parts: readonly TextPart[]; readonly isQuoted: boolean }
    | { readonly kind: 'list'; readonly items: readonly Node[] }
    | { readonly kind: 'regex'; readonly regex: Regex }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'call'; readonly name: string; readonly given: readonly Node[] }
    | { readonly kind: 'not'; readonly operand: Node }
    | { readonly kind: 'every' | 'some'; readonly operands: readonly Node[] }
    | {
        readonly kind: 'compare';
        readonly operator: Comparison | Match | 'includes';
        readonly left: Node;
        readonly right: Node;
      }
    | {
        readonly kind: 'choose';
        readonly condition: Node;
        readonly yes: Node;
        readonly no: Node;
      }
  );

export type TextPart = { readonly text: string } | { readonly variable: string };
