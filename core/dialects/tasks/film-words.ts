// The fields of a video request that its price may depend on: its size.
import { getMember, asObject } from '../json/json-value.ts'
import type { PriceWord } from '../requests/price-words.ts'
import type { ParsedSubmission } from './task-dialect.ts'

/** Vendors read the size from these members, at the top or among the parameters. */
const MEMBERS = ['resolution', 'size', 'mode'] as const

/** Returns the fields; undefined if the caller set none, and the model's default size applies. */
export function readFilmFields({ film, given }: Pick<ParsedSubmission, 'film' | 'given'>): PriceWord[] | undefined {
  if (!film) return undefined
  const words: PriceWord[] = []
  if (film.resolution !== undefined) words.push({ member: 'resolution', kind: 'size', value: film.resolution })
  for (const place of [given, asObject(given.parameters)]) {
    for (const member of MEMBERS) {
      const value = getMember(place, member)
      // A string is read by its format; no other type can be priced.
      if (value !== undefined && value !== null && typeof value !== 'string')
        words.push({ member, kind: 'size', value })
    }
  }
  return words.length > 0 ? words : undefined
}
