// The channel panel's last part: what is changed in requests and answers.
import { useTexts } from '../../data/texts.tsx'
import { Field } from '../../parts/field.tsx'
import { JsonField } from '../../parts/json-field.tsx'
import type { PartProps } from './part.ts'
import { words } from './texts.ts'

export function AdvancedPart({ draft, set }: PartProps) {
  const t = useTexts(words)
  return (
    <section className="panel-part">
      <h2>{t.advanced}</h2>
      <Field label={t.setting}>
        <JsonField
          label={t.setting}
          help={t.settingHint}
          template={{ force_format: true }}
          value={draft.setting}
          onChange={(setting) => set({ setting })}
        />
      </Field>
      <Field label={t.override}>
        <JsonField
          label={t.override}
          help={t.overrideHint}
          template={{ temperature: 0 }}
          value={draft.param_override}
          onChange={(param_override) => set({ param_override })}
        />
      </Field>
      <Field label={t.statusMapping}>
        <JsonField
          label={t.statusMapping}
          help={t.statusMappingHint}
          template={{ '400': '500' }}
          value={draft.status_code_mapping}
          onChange={(status_code_mapping) => set({ status_code_mapping })}
        />
      </Field>
    </section>
  )
}
