/** The row that records the setup. Time in epoch seconds. */
export interface SiteSetup {
  version: string
  initialized_at: number
}

/** The database's version and size. */
export interface DatabaseState {
  version: string
  bytes: number
  /** The last step of its schema. */
  schema: string
  /** Gateways that are at work on it. */
  processes: number
}

export interface SetupStore {
  find(): Promise<SiteSetup | null>
  /** Inserts the one row; false if it was there already, so of two racing set-ups one wins. */
  insert(setup: SiteSetup): Promise<boolean>
  database(): Promise<DatabaseState>
}
