// The home page of a site without its own: the base URL, and how to send calls.
import { IconBookStroked, IconKey } from '@douyinfe/semi-icons'
import { Link, useNavigate } from 'react-router'
import { PLACEHOLDER_KEY } from '../../../core/tokens/guides.ts'
import { DEFAULT_GUIDE_MODEL } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useServerAddress, useServerStatus } from '../../data/status.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { ClientGuide } from '../../parts/text/client-guide.tsx'
import { CopyableText } from '../../parts/text/copy.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { Button } from '../../semi.ts'
import { SystemStatus } from './system-status.tsx'

const STEP_TITLES = texts({ Token: 'Create an API token', Url: 'Change the base URL', Log: 'See every call' })

const STEP_TEXTS = texts({
  Token: 'Give it a quota, an expiry time, and the models it may use.',
  Url: 'Your client library stays the same: only the address and the key are new.',
  Log: 'The usage log shows time to first token, tokens and how the charge came about.',
})

// A note for administrators of a gateway that has not answered a call yet, with a link to the next setup step.

export function SetupNote() {
  const t = useText()
  const { data } = useEndpoint(['logs.answered'], () => apiClient.logs.listSelf({ type: 2, page_size: 1 }))
  if (!data || data.total > 0) return null
  return (
    <InlineNote>
      {t('This gateway has not answered a call of yours yet.')} <Link to="/setup">{t('Go on setting up')}</Link>
    </InlineNote>
  )
}

export function BuiltInHome() {
  const t = useText()
  const status = useServerStatus()
  const baseUrl = `${useServerAddress()}/v1`
  const { user, isAdmin } = useSignedInUser()
  const navigate = useNavigate()
  return (
    <div className="home">
      {isAdmin && <SetupNote />}
      <section className="hero">
        <h1>{t('One endpoint for every model you run on')}</h1>
        <p>
          {t(
            'Point any OpenAI-compatible client at this address. Each call is routed, priced, charged exactly once and logged.',
          )}
        </p>
        <div className="base-url">
          <span>{t('Base URL')}</span>
          <CopyableText text={baseUrl} />
        </div>
        <div className="hero-actions">
          <Button
            theme="solid"
            size="large"
            icon={<IconKey aria-hidden />}
            onClick={() => void navigate(user ? '/token' : '/login')}
          >
            {user ? t('Create an API token') : t('Sign in')}
          </Button>
          {status.docs_link && (
            <Button
              size="large"
              icon={<IconBookStroked aria-hidden />}
              onClick={() => window.open(status.docs_link, '_blank', 'noopener')}
            >
              {t('Read the docs')}
            </Button>
          )}
        </div>
      </section>
      <ol className="steps">
        {(['Token', 'Url', 'Log'] as const).map((step) => (
          <li key={step} className="sheet">
            <h2>{t(STEP_TITLES[step])}</h2>
            <p>{t(STEP_TEXTS[step])}</p>
          </li>
        ))}
      </ol>
      <Samples />
      <SystemStatus />
    </div>
  )
}

function Samples() {
  const t = useText()
  const address = useServerAddress()
  return (
    <section className="sheet samples">
      <h2>{t('Make your first call')}</h2>
      <ClientGuide first={{ key: PLACEHOLDER_KEY, address, model: DEFAULT_GUIDE_MODEL }} />
    </section>
  )
}
