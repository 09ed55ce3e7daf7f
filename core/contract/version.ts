// Optimistic locking: a row counts the edits of people, and a save names the version that its author read. A later save
// of an old version is refused instead of overwriting the newer one.
import { z } from 'zod'
import { fillTemplate, EMPTY_WORDS, words, type Words } from '../errors.ts'
import { field, type FieldDeclaration } from './field.ts'

const declaration: FieldDeclaration = {
  label: words('Version'),
  help: words(
    'The version that was read: a save is refused if the row has been saved since; if absent, it is saved in any case',
  ),
  example: 1,
  notIn: {
    console: 'it goes back with the row that was read',
    terminal: 'a command says what it changes; a form sends back the version that it has read',
  },
}

/** Version of a row: 1, incremented by each edit. */
export const RowVersion = field(z.number(), declaration)

/** The version that was read, for a caller that wants an error if the stored one is newer. */
export const ReadVersion = field(z.int32().min(1).optional(), declaration)

/** Describes the last change (author and epoch seconds) according to the audit, after "It was changed meanwhile". */
export function lastChangeText(row: { username: string; created_at: number } | undefined, what = ''): Words {
  const named = what === '' ? '' : `${what}: `
  if (!row) return what === '' ? EMPTY_WORDS : fillTemplate(words(' ({what})'), { what })
  const when = `${new Date(Number(row.created_at) * 1000).toISOString().slice(0, 19)}Z`
  return fillTemplate(words(' ({named}the last change on record is by {username}, {when})'), {
    named,
    username: row.username || words('the terminal'),
    when,
  })
}

/** An edit by a person, for a store. A change without one neither counts nor conflicts. */
export interface PersonalEdit {
  /** The version that was read; undefined if the caller named none. */
  version: number | undefined
  /** true if a field that people edit changes. */
  raises: boolean
}
