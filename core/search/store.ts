import type { SearchHit } from './contract.ts'

/** A row that was found, best first; `more` is what its line is made of. */
export interface FoundRow<More extends string> extends Pick<SearchHit, 'name' | 'rank'> {
  id: number
  more: Record<More, string>
}

/** Looks for a text in names, in whichever case, and for the row whose id it is. Of long tables the newest rows are looked through. */
export interface SearchStore {
  /** By name, display name or e-mail; not those deregistered. */
  users(text: string, limit: number): Promise<FoundRow<'display_name' | 'email' | 'group'>[]>
  /** By name or tag. */
  channels(text: string, limit: number): Promise<FoundRow<'type' | 'models'>[]>
  /** By name or whole key; `userId` null for everybody's. */
  tokens(text: string, limit: number, userId: number | null): Promise<FoundRow<'username' | 'key_prefix' | 'group'>[]>
  /** By name; `userId` for those that somebody is in, null for everybody's. */
  teams(text: string, limit: number, userId: number | null): Promise<FoundRow<never>[]>
}
