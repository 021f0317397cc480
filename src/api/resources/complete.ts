/** What commands make themselves, described as the resources of the API are: nothing of it is left out. */
import { member, type Kind, type Member, type Members, type Resource } from './resource.ts';

/** A part has all of its members; those that may be null say so. */
export type Complete<R extends { readonly members: Members }> = {
  readonly [K in keyof R['members']]: R['members'][K] extends Member<infer T> ? T : never;
};

export const orNull = <T>(kind: Kind) => member<T | null>(kind);

/** An object within another. */
export const inside = <R extends Resource>(of: R): Member<Complete<R>> => ({ kind: 'json', of });

export const listOf = <R extends Resource>(of: R): Member<readonly Complete<R>[]> => ({
  kind: 'list',
  of,
});
