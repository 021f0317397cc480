/** Where agents get the code of a build from: written down once, the same for all of its jobs. */
export type BuildCode = RepositoryCode | SnapshotCode;

export interface RepositoryCode {
  readonly kind: 'repository';
  /** What git clones, without a password. */
  readonly address: string;
  /** It is a folder of this machine, which agents elsewhere do not reach. */
  readonly isPath: boolean;
  /** Full SHA, or as the build names it where the checkout here does not know it. */
  readonly commit: string;
  /** What to fetch where the branch of the build does not lead to the commit there. */
  readonly refspec: string | null;
}

/** A commit of its own, in a bare repository that this service serves. */
export interface SnapshotCode {
  readonly kind: 'snapshot';
  /** Full SHA of that commit. */
  readonly commit: string;
  /** The one branch of that repository. */
  readonly branch: string;
  /** SHA of what it consists of: the same for the same files. */
  readonly tree: string;
}
