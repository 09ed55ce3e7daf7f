// The site notice, until it is closed. A changed text is shown again.
import { client } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { RichText } from '../../parts/rich-text.tsx'
import { words } from './texts.ts'
import { Note } from '../../parts/note.tsx'

export function NoticeBanner() {
  const t = useTexts(words)
  const seen = usePreference(preferences.seenNotice)
  const { data } = useEndpoint(['site.notice'], () => client.site.notice())
  if (!data || data === seen) return null
  return (
    <Note title={t.notice} onClose={() => preferences.seenNotice.write(data)}>
      <RichText source={data} />
    </Note>
  )
}
