// The channel of a rule, by name; by number if there are too many channels for a list.
import type { FormFields } from '../../../core/contract/control.ts'
import { client } from '../../data/client.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { Choice } from '../../parts/choice.tsx'
import { DeclaredField, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { words } from './texts.ts'

const MOST = 100

interface ChannelFieldProps {
  form: FormFields
  /** 0 for all channels. */
  value: number
  onChange(channel: number): void
}

export function ChannelField({ form, value, onChange }: ChannelFieldProps) {
  const t = useTexts(words)
  const { label } = useFields(form)('channel')
  const { data } = useEndpoint(['channels.list', 'of a rule'], () => client.channels.list({ page_size: MOST }))
  const isListed = value === 0 || data?.data.some(({ id }) => id === value)
  if (!data || data.total > MOST || !isListed)
    return (
      <DeclaredField
        name="channel"
        form={form}
        draft={{ channel: value }}
        set={({ channel = 0 }) => onChange(channel)}
      />
    )
  const channels = data.data.map(({ id, name }) => ({ value: String(id), label: `${id} ${name}` }))
  const options = [{ value: '0', label: t.everyChannel }, ...channels]
  return (
    <Field field="channel" label={label}>
      <Choice label={label} value={String(value)} options={options} onChange={(id) => onChange(Number(id))} />
    </Field>
  )
}
