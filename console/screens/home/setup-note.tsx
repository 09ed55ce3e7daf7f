// A note for administrators of a gateway that has not answered a call yet, with a link to the next setup step.
import { Link } from 'react-router'
import { client } from '../../data/client.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { Note } from '../../parts/note.tsx'
import { words } from './texts.ts'

export function SetupNote() {
  const t = useTexts(words)
  const { data } = useEndpoint(['logs.answered'], () => client.logs.listSelf({ type: 2, page_size: 1 }))
  if (!data || data.total > 0) return null
  return (
    <Note>
      {t.notReady} <Link to="/setup">{t.goOn}</Link>
    </Note>
  )
}
