import type { Resource } from '../api/resources/resource.ts';

/** The texts of an element, and of those that it holds, that people wrote for people. */
export const proseIn = ({ members }: Resource, element: object): string[] =>
  Object.entries(members).flatMap(([name, { kind, of }]) => {
    const value = (element as Readonly<Record<string, unknown>>)[name];
    if (kind === 'prose') return typeof value === 'string' ? [value] : [];
    if (of === undefined || typeof value !== 'object' || value === null) return [];
    const inner = (Array.isArray(value) ? value : [value]) as unknown[];
    return inner.flatMap((one) =>
      typeof one === 'object' && one !== null ? proseIn(of, one) : [],
    );
  });
