/** How long an account knows a browser that it does not see. */
export const KNOWN_SECONDS = 180 * 24 * 3600

/** The browsers that have signed in to an account before; only the hash of their cookie is kept. */
export interface BrowserStore {
  knows(userId: number, hash: string): Promise<boolean>
  /** Does the account with this e-mail address know it? */
  knownByEmail(email: string, hash: string): Promise<boolean>
  /**
   * Records that a browser has signed in to the account. It gets a new name for all accounts that know it, so that a
   * planted name is useless. An account knows its latest few dozen browsers. Epoch seconds.
   */
  remember(userId: number, name: { before: string; hash: string }, now: number): Promise<void>
  /** Those not seen since `time` (epoch seconds). */
  deleteOld(time: number): Promise<void>
}
