// The channel panel's third part: who reaches it, and how often it is chosen.
import { ChannelForm } from '../../../core/channels/channel.ts'
import { useTexts } from '../../data/texts.tsx'
import { DeclaredFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Input, InputNumber, Switch } from '../../semi.ts'
import type { PartProps } from './part.ts'
import { words } from './texts.ts'

export function RoutingPart({ draft, set, groups }: PartProps & { groups: string[] }) {
  const t = useTexts(words)
  return (
    <section className="panel-part">
      <h2>{t.routing}</h2>
      <Field label={t.groups} required>
        <Choice
          label={t.groups}
          multiple
          filter
          allowCreate
          value={draft.groups}
          optionList={[...new Set([...groups, ...draft.groups])].map((group) => ({ value: group, label: group }))}
          onChange={(chosen) => set({ groups: chosen as string[] })}
        />
      </Field>
      <div className="field-columns">
        <Field label={t.priority} hint={t.priorityHint}>
          <InputNumber
            aria-label={t.priority}
            min={-999}
            precision={0}
            value={draft.priority}
            onNumberChange={(priority) => set({ priority })}
          />
        </Field>
        <Field label={t.weight} hint={t.weightHint}>
          <InputNumber
            aria-label={t.weight}
            min={0}
            precision={0}
            value={draft.weight}
            onNumberChange={(weight) => set({ weight })}
          />
        </Field>
      </div>
      <DeclaredFields form={ChannelForm} group="routing" draft={draft} set={set} />
      <Field label={t.tag}>
        <Input aria-label={t.tag} value={draft.tag} onChange={(tag) => set({ tag })} />
      </Field>
      <Field label={t.autoBan} hint={t.autoBanHint}>
        <Switch aria-label={t.autoBan} checked={draft.auto_ban} onChange={(auto_ban) => set({ auto_ban })} />
      </Field>
    </section>
  )
}
