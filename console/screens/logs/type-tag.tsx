// The types of log rows, as a filter and as the tag in a row.
import { LOG_TYPE } from '../../../core/calls/log-entry.ts'
import { useTexts } from '../../data/texts.tsx'
import { Dot, Tag, type Color } from '../../parts/tags.tsx'
import { words } from './texts.ts'

type TypeName = Exclude<keyof typeof LOG_TYPE, 'unknown'>

const colors: Record<TypeName, Color> = {
  topup: 'cyan',
  consumption: 'lime',
  admin: 'orange',
  system: 'purple',
  error: 'red',
}
const names = Object.keys(colors) as TypeName[]

/** Returns the options of the type filter. */
export function useTypeOptions() {
  const t = useTexts(words)
  return names.map((name) => ({ value: String(LOG_TYPE[name]), label: t[name] }))
}

export function TypeTag({ type }: { type: number }) {
  const t = useTexts(words)
  const name = names.find((each) => LOG_TYPE[each] === type)
  // An error is a state; the other types are kinds.
  const Shown = name === 'error' ? Tag : Dot
  return <Shown color={name ? colors[name] : 'grey'}>{name ? t[name] : t.unknown}</Shown>
}
