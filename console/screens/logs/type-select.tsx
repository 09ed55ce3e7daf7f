// The types of log rows: as a filter, and as the tag in a row.
import { LOG_TYPE } from '../../../core/calls/log-entry.ts'
import { useTexts } from '../../data/texts.tsx'
import type { Color } from '../../parts/tags.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Tag } from '../../semi.ts'
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

export function TypeSelect({ value, onChange }: { value: string; onChange(type: string): void }) {
  const t = useTexts(words)
  return (
    <Choice
      label={t.typeFilter}
      value={value}
      onChange={(type) => onChange(String(type))}
      optionList={[
        { value: '0', label: t.all },
        ...names.map((name) => ({ value: String(LOG_TYPE[name]), label: t[name] })),
      ]}
    />
  )
}

export function TypeTag({ type }: { type: number }) {
  const t = useTexts(words)
  const name = names.find((each) => LOG_TYPE[each] === type)
  return <Tag color={name ? colors[name] : 'grey'}>{name ? t[name] : t.unknown}</Tag>
}
