// What the declarations say of the settings that a server lists: their columns, place and value.
import type { Language } from '../core/errors.ts'
import { cards, tabOf } from '../core/settings/cards.data.ts'
import { declarationOf, declaredSettings } from '../core/settings/index.ts'
import type { Setting } from '../core/settings/setting.ts'
import { UsageError } from './failure.ts'
import type { Column } from './table.ts'

interface Row {
  key: string
  value: string
  set?: boolean
}

export const columns = (language: Language): Column<Row>[] => [
  { title: 'KEY', rank: 1, value: ({ key }) => key, tone: (row) => (isChanged(row) ? 'strong' : 'plain') },
  { title: 'VALUE', rank: 1, flexible: true, value: shown, tone: (row) => (isChanged(row) ? 'good' : 'plain') },
  { title: 'UNIT', rank: 3, value: ({ key }) => declarationOf(key)?.unit?.[language] ?? '' },
  {
    title: 'WHAT IT IS',
    rank: 2,
    flexible: true,
    value: ({ key }) => declarationOf(key)?.label[language] ?? '',
    tone: () => 'faint',
  },
]

export const tabIn = ({ key }: Row): string | undefined => {
  const card = declarationOf(key)?.card
  return card && tabOf(card)
}

/** As the settings screen has them; those of another version last. */
export function placeOf({ key }: Row): number {
  const declaration = declarationOf(key)
  const at = Object.keys(cards).indexOf(declaration?.card ?? '')
  return at < 0 ? Number.MAX_SAFE_INTEGER : at * 10_000 + (declaration?.order ?? 0)
}

export function isChanged({ key, value, set: isSet }: Row): boolean {
  const declaration = declarationOf(key)
  if (!declaration) return false
  if (declaration.secret) return isSet === true
  const parsed = declaration.value.schema.safeParse(value)
  const { encode, default: initial } = declaration.value
  return (parsed.success ? encode(parsed.data) : value) !== encode(initial)
}

export function shown({ key, value, set: isSet }: Row): string {
  const declaration = declarationOf(key)
  if (declaration?.secret) return isSet ? '(set)' : '(not set)'
  if (declaration?.value.kind !== 'json' || value.length <= 40) return value
  const entries = declaration.value.schema.safeParse(value)
  return entries.success && typeof entries.data === 'object' && entries.data !== null
    ? `(${Object.keys(entries.data).length} entries; see \`weir settings get ${key}\`)`
    : value
}

/** The declaration of a key. @throws UsageError with the nearest keys */
export function known(key: string): Setting<unknown> {
  const declaration = declarationOf(key)
  if (declaration) return declaration
  const near = Object.keys(declaredSettings).filter((name) => name.toLowerCase().includes(key.toLowerCase()))
  const hint = near.length > 0 ? `did you mean ${near.slice(0, 3).join(', ')}?` : '`weir settings list` shows all.'
  throw new UsageError(`There is no setting ${key}: ${hint}`)
}
