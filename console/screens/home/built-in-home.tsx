// The home page of a site without its own: the base URL, and how to send calls.
import { IconBookStroked, IconKey } from '@douyinfe/semi-icons'
import { Link, useNavigate } from 'react-router'
import { PLACEHOLDER_KEY, USUAL_MODEL } from '../../../core/tokens/guides.ts'
import { client } from '../../data/client.ts'
import { useSession } from '../../data/session.tsx'
import { useServerAddress, useStatus } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { ClientGuide } from '../../parts/client-guide.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Note } from '../../parts/note.tsx'
import { Button } from '../../semi.ts'
import { SystemStatus } from './system-status.tsx'
import { words } from './texts.ts'

// A note for administrators of a gateway that has not answered a call yet, with a link to the next setup step.

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

export function BuiltInHome() {
  const t = useTexts(words)
  const status = useStatus()
  const baseUrl = `${useServerAddress()}/v1`
  const { user, isAdmin } = useSession()
  const navigate = useNavigate()
  return (
    <div className="home">
      {isAdmin && <SetupNote />}
      <section className="hero">
        <h1>{t.headline}</h1>
        <p>{t.lead}</p>
        <div className="base-url">
          <span>{t.baseUrl}</span>
          <Copyable text={baseUrl} />
        </div>
        <div className="hero-actions">
          <Button
            theme="solid"
            size="large"
            icon={<IconKey aria-hidden />}
            onClick={() => void navigate(user ? '/token' : '/login')}
          >
            {user ? t.getKey : t.signIn}
          </Button>
          {status.docs_link && (
            <Button
              size="large"
              icon={<IconBookStroked aria-hidden />}
              onClick={() => window.open(status.docs_link, '_blank', 'noopener')}
            >
              {t.docs}
            </Button>
          )}
        </div>
      </section>
      <ol className="steps">
        {(['Token', 'Url', 'Log'] as const).map((step) => (
          <li key={step} className="sheet">
            <h2>{t[`step${step}`]}</h2>
            <p>{t[`step${step}Text`]}</p>
          </li>
        ))}
      </ol>
      <Samples />
      <SystemStatus />
    </div>
  )
}

function Samples() {
  const t = useTexts(words)
  const address = useServerAddress()
  return (
    <section className="sheet samples">
      <h2>{t.howTitle}</h2>
      <ClientGuide first={{ key: PLACEHOLDER_KEY, address, model: USUAL_MODEL }} />
    </section>
  )
}
