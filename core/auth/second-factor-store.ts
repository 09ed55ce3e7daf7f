/** An authenticator app of a user. */
export interface SecondFactor {
  user_id: number
  /** Base32; encrypted at rest. */
  secret: string
  /** Epoch seconds of the first right code; null while it is being set up. */
  confirmed_time: number | null
}

export interface SecondFactorStore {
  find(userId: number): Promise<SecondFactor | null>
  /** Begins to set one up, in place of one that was never confirmed. */
  begin(userId: number, secret: string): Promise<void>
  /** Activates the factor, with the hashes of its backup codes. */
  confirm(userId: number, now: number, backupHashes: string[]): Promise<void>
  /** Replaces all backup codes. */
  renewBackups(userId: number, backupHashes: string[]): Promise<void>
  /** Marks the code of a time step as used; false if it, or a later one, was used before. */
  useStep(userId: number, step: number): Promise<boolean>
  /** Uses a backup code up; false for one that is none, or was used before. */
  useBackup(userId: number, hash: string): Promise<boolean>
  countBackups(userId: number): Promise<number>
  remove(userId: number): Promise<void>
}
