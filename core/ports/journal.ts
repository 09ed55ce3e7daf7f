// Files that are written at their end only: what is in one survives a crash of the process and of the machine.

/** The file that this process writes at. */
export interface JournalFile {
  readonly name: string
  /** Resolves when it is on the disk. After a rejection nothing more goes into this file: nobody knows what it has. */
  append(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

export interface JournalFolder {
  /** Names the files of this process, and of no other ever. */
  readonly own: string
  /** A new, empty file of this process. */
  begin(): Promise<JournalFile>
  /** Takes over the files that processes left which are gone, the oldest first; each with the name of its process. */
  adopt(): Promise<{ file: string; journal: string }[]>
  read(name: string): Promise<Uint8Array>
  remove(name: string): Promise<void>
  /** Puts aside what cannot be read, under another name, which it gives. */
  putAside(name: string): Promise<string>
  /** Lets go of what is still in it, which the next process takes over. */
  close(): Promise<void>
  /** CRC-32; with that of the bytes before, of all together. */
  checksum(bytes: Uint8Array, before?: number): number
}
