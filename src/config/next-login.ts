/** The command that gives a profile a token again, once its own is gone. */
export const nextLogin = (profile: string | undefined): string => {
  if (profile === undefined) return 'cictl auth login';
  return profile === 'local' ? 'cictl local up' : `cictl auth login --profile ${profile}`;
};
