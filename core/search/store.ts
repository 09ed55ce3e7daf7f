import type { SearchResultRow } from './contract.ts'

/** A row that was found, best first; `more` is what its line is made of. */
export interface FoundRow<More extends string> extends Pick<SearchResultRow, 'name' | 'rank'> {
  id: number
  more: Record<More, string>
}

/** Looks for a text in names, in whichever case, and for the row whose id it is. Of long tables the newest rows are looked through. */
export interface SearchStore {
  /** Finds users by name, display name or email; not deregistered ones. */
  users(text: string, limit: number): Promise<FoundRow<'display_name' | 'email' | 'group'>[]>
  /** Finds channels by name or tag. */
  channels(text: string, limit: number): Promise<FoundRow<'type' | 'models'>[]>
  /** Finds tokens by name or whole key; `userId` null for all users. */
  tokens(text: string, limit: number, userId: number | null): Promise<FoundRow<'username' | 'key_prefix' | 'group'>[]>
  /** Finds teams by name; those of a user, null for all. */
  teams(text: string, limit: number, userId: number | null): Promise<FoundRow<never>[]>
}
