import { useText } from '../../data/texts.tsx'

// The page of one key: the configuration of each client, and its first call as it arrives.
import { Link, useNavigate, useParams } from 'react-router'
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { KeyConfigurations } from '../tokens/connect.tsx'
import { useEnabledTokens, useTokenKey } from './use-enabled-tokens.ts'

export function Page() {
  const t = useText()
  const { id } = useParams()
  const navigate = useNavigate()
  const { tokens, why, retry } = useEnabledTokens()
  const token = id === undefined ? tokens?.[0] : tokens?.find((each) => String(each.id) === id)
  const { key, ...keyState } = useTokenKey(token)
  const head = (
    <PageHead title={t('Use a key')}>
      <Link to="/token" className="head-link">
        {t('Manage tokens')}
      </Link>
    </PageHead>
  )
  if (!tokens || tokens.length === 0)
    return (
      <>
        {head}
        {tokens ? null : why ? <KeyFailure why={why} retry={retry} /> : <LoadingIndicator />}
      </>
    )
  if (!token)
    return (
      <EmptyState page title={t('This token does not exist or is not enabled')}>
        <Link to="/keys">{t('Use another one')}</Link>
      </EmptyState>
    )
  return (
    <>
      {head}
      <div className="sheet">
        <p className="muted">
          {t('Copy or download the configuration for your client, then send a call to check that it works.')}
        </p>
        <SegmentedChoice
          labelled
          label={t('Token')}
          value={String(token.id)}
          onChange={(chosen) => void navigate(`/keys/${chosen}`)}
          options={tokens.map((each) => ({ value: String(each.id), label: each.name || String(each.id) }))}
        />
        {key ? (
          <KeyConfigurations key={token.id} token={token} whole={key} />
        ) : keyState.why ? (
          <KeyFailure why={keyState.why} retry={keyState.retry} />
        ) : (
          <LoadingIndicator />
        )}
      </div>
    </>
  )
}

/** A message for data that could not be loaded. */
export function KeyFailure({ why, retry }: { why: string; retry(): void }) {
  const t = useText()
  return (
    <EmptyState failed title={t('The tokens could not be loaded')} description={why}>
      <Button onClick={retry}>{t('Retry')}</Button>
    </EmptyState>
  )
}
