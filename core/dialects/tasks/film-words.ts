// The words of a film's request that its price may depend on: how large it is to be.
import { getMember, asObject } from '../json-value.ts'
import type { PriceWord } from '../price-words.ts'
import type { TaskAsk } from './task-dialect.ts'

/** Vendors read the size from these members, at the top or among the parameters. */
const MEMBERS = ['resolution', 'size', 'mode'] as const

/** Returns undefined when the caller said nothing: such a film has its model's usual size. */
export function filmWords({ film, given }: Pick<TaskAsk, 'film' | 'given'>): PriceWord[] | undefined {
  if (!film) return undefined
  const words: PriceWord[] = []
  if (film.resolution !== undefined) words.push({ member: 'resolution', kind: 'size', value: film.resolution })
  for (const place of [given, asObject(given.parameters)]) {
    for (const member of MEMBERS) {
      const value = getMember(place, member)
      // A text is read by its format; nothing else can be priced.
      if (value !== undefined && value !== null && typeof value !== 'string')
        words.push({ member, kind: 'size', value })
    }
  }
  return words.length > 0 ? words : undefined
}
