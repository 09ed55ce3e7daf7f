// The third part of the channel panel: who may use the channel, and how often it is chosen.
import { useTexts } from '../../data/texts.tsx'
import { DeclaredFields, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { PickMany } from '../../parts/combobox.tsx'
import type { PartProps } from './part.ts'
import { form } from './form.built.ts'
import { words } from './texts.ts'

export function RoutingPart({ draft, set, groups }: PartProps & { groups: string[] }) {
  const t = useTexts(words)
  const { label } = useFields(form)('group')
  return (
    <section className="panel-part">
      <h2>{t.routing}</h2>
      <Field field="group" label={label} required>
        <PickMany
          label={label}
          free
          value={draft.groups}
          options={[...new Set([...groups, ...draft.groups])].map((value) => ({ value }))}
          onChange={(chosen) => set({ groups: chosen })}
        />
      </Field>
      <div className="field-columns">
        <DeclaredFields form={form} group="order" draft={draft} set={set} />
      </div>
      <DeclaredFields form={form} group="routing" draft={draft} set={set} />
    </section>
  )
}
