// The types of log rows, as a filter and as the tag in a row.
import { LOG_ROW_TYPE } from '../../../core/calls/log-entry.ts'
import { useText, texts } from '../../data/texts.tsx'
import { ColorDot, StateTag, type TagColor } from '../../parts/text/tags.tsx'

const TYPE_TEXTS = texts({
  admin: 'admin',
  error: 'error',
  topup: 'top-up',
  consumption: 'consumption',
  system: 'system',
})

type TypeName = Exclude<keyof typeof LOG_ROW_TYPE, 'unknown'>

const colors: Record<TypeName, TagColor> = {
  topup: 'cyan',
  consumption: 'lime',
  admin: 'orange',
  system: 'purple',
  error: 'red',
}
const names = Object.keys(colors) as TypeName[]

/** Returns the options of the type filter. */
export function useTypeOptions() {
  const t = useText()
  return names.map((name) => ({ value: String(LOG_ROW_TYPE[name]), label: t(TYPE_TEXTS[name], { context: 'log' }) }))
}

export function LogTypeTag({ type }: { type: number }) {
  const t = useText()
  const name = names.find((each) => LOG_ROW_TYPE[each] === type)
  const text = name ? t(TYPE_TEXTS[name], { context: 'log' }) : t('unknown')
  // An error is a state; the other types are kinds.
  if (name === 'error') return <StateTag color={colors.error}>{text}</StateTag>
  return (
    <ColorDot isWord color={name ? colors[name] : 'grey'}>
      {text}
    </ColorDot>
  )
}
