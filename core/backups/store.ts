/** A backup in progress: a compressed archive. */
export interface BackupStream {
  pieces: AsyncIterable<Uint8Array>
}

export interface BackupStore {
  /**
   * Copies everything as of one moment, while calls go on, and reads the copy; the archive comes piece by piece.
   * `prove` walks through the copy's ledger as well.
   * @throws GatewayError disk.full
   */
  make(how: { version: string; made_at: number; prove: boolean }): Promise<BackupStream>
}
