// The last part of the channel panel: changes to requests and answers.
import { useTexts } from '../../data/texts.tsx'
import { DeclaredFields } from '../../parts/declared-fields.tsx'
import { form } from './form.built.ts'
import type { PartProps } from './part.ts'
import { SettingPart } from './setting-part.tsx'
import { words } from './texts.ts'

export function AdvancedPart({ draft, set }: PartProps) {
  const t = useTexts(words)
  return (
    <section className="panel-part">
      <h2>{t.advanced}</h2>
      <SettingPart text={draft.setting} set={(setting) => set({ setting })} />
      <DeclaredFields form={form} group="advanced" draft={draft} set={set} />
    </section>
  )
}
