// The channel panel's last part: what is changed in requests and answers.
import { ChannelForm } from '../../../core/channels/channel.ts'
import { useTexts } from '../../data/texts.tsx'
import { DeclaredFields } from '../../parts/declared-fields.tsx'
import type { PartProps } from './part.ts'
import { words } from './texts.ts'

export function AdvancedPart({ draft, set }: PartProps) {
  const t = useTexts(words)
  return (
    <section className="panel-part">
      <h2>{t.advanced}</h2>
      <DeclaredFields form={ChannelForm} group="advanced" draft={draft} set={set} />
    </section>
  )
}
