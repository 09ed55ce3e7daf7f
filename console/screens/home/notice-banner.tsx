// The site notice, until it is closed; a new text shows again.
import { client } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { RichText } from '../../parts/rich-text.tsx'
import { Banner } from '../../semi.ts'
import { words } from './texts.ts'

export function NoticeBanner() {
  const t = useTexts(words)
  const seen = usePreference(preferences.seenNotice)
  const { data } = useEndpoint(() => client.site.notice(), [])
  if (!data || data === seen) return null
  return (
    <Banner
      fullMode={false}
      className="notice"
      type="info"
      title={t.notice}
      description={<RichText source={data} />}
      onClose={() => preferences.seenNotice.write(data)}
    />
  )
}
