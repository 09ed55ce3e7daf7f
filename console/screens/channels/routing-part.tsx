// The channel panel's third part: who reaches it, and how often it is chosen.
import { ChannelForm } from '../../../core/channels/channel.ts'
import { useTexts } from '../../data/texts.tsx'
import { DeclaredFields, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { Choice } from '../../parts/choice.tsx'
import type { PartProps } from './part.ts'
import { words } from './texts.ts'

export function RoutingPart({ draft, set, groups }: PartProps & { groups: string[] }) {
  const t = useTexts(words)
  const { label } = useFields(ChannelForm)('group')
  return (
    <section className="panel-part">
      <h2>{t.routing}</h2>
      <Field label={label} required>
        <Choice
          label={label}
          multiple
          filter
          allowCreate
          value={draft.groups}
          optionList={[...new Set([...groups, ...draft.groups])].map((group) => ({ value: group, label: group }))}
          onChange={(chosen) => set({ groups: chosen as string[] })}
        />
      </Field>
      <div className="field-columns">
        <DeclaredFields form={ChannelForm} group="order" draft={draft} set={set} />
      </div>
      <DeclaredFields form={ChannelForm} group="routing" draft={draft} set={set} />
    </section>
  )
}
