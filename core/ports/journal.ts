// Append-only files. Their content survives a crash of the process and of the machine.

/** The file that this process appends to. */
export interface JournalFile {
  readonly name: string
  /**
   * Resolves once the bytes are on disk. After a rejection the file is not used any more, because its content is
   * unknown.
   */
  append(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

export interface JournalFolder {
  /** Prefix of this process's files; never used by another process. */
  readonly own: string
  /** Creates a new, empty file of this process. */
  begin(): Promise<JournalFile>
  /** Takes over the files of processes that no longer run, oldest first, each with the name of its process. */
  adopt(): Promise<{ file: string; journal: string }[]>
  read(name: string): Promise<Uint8Array>
  remove(name: string): Promise<void>
  /** Renames a file that cannot be read. Returns the new name. */
  putAside(name: string): Promise<string>
  /** Releases the remaining files, which the next process takes over. */
  close(): Promise<void>
  /** Computes the CRC-32. With `before`, the checksum of the preceding bytes, it covers both. */
  checksum(bytes: Uint8Array, before?: number): number
}

/** The position of a record in a journal, or the position up to which a journal is booked. */
export interface JournalPlace {
  /** The journal's name. */
  journal: string
  /** Number of the record, from 1, in the order of writing. */
  place: number
}
