/** What the process knows of the machine it runs on. */
export interface Machine {
  /** Names this process among those that share a database: the host and its number there. */
  process: string
  /** Names where its data is: the host and the folder. */
  folder: string
  /** How much of the disk of its data is free, from 0 to 1; null where the system does not tell. */
  freeDisk(): Promise<number | null>
}
