// The page of one key: the configuration of each client, and its first call as it arrives.
import { Link, useNavigate, useParams } from 'react-router'
import { useTexts } from '../../data/texts.tsx'
import { Choice } from '../../parts/choice.tsx'
import { EmptyState } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button } from '../../semi.ts'
import { OneKey } from '../tokens/connect.tsx'
import { words } from './texts.ts'
import { useEnabledTokens, useKey } from './use-enabled-tokens.ts'

export function Page() {
  const t = useTexts(words)
  const { id } = useParams()
  const navigate = useNavigate()
  const { tokens, why, retry } = useEnabledTokens()
  const token = id === undefined ? tokens?.[0] : tokens?.find((each) => String(each.id) === id)
  const { key, ...keyState } = useKey(token)
  const head = (
    <PageHead title={t.title}>
      <Link to="/token" className="head-link">
        {t.manage}
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
      <EmptyState page title={t.gone}>
        <Link to="/keys">{t.other}</Link>
      </EmptyState>
    )
  return (
    <>
      {head}
      <div className="sheet">
        <p className="muted">{t.lead}</p>
        <Choice
          labelled
          label={t.token}
          value={String(token.id)}
          onChange={(chosen) => void navigate(`/keys/${chosen}`)}
          options={tokens.map((each) => ({ value: String(each.id), label: each.name || String(each.id) }))}
        />
        {key ? (
          <OneKey key={token.id} token={token} whole={key} />
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
  const t = useTexts(words)
  return (
    <EmptyState failed title={t.failed} description={why}>
      <Button onClick={retry}>{t.retry}</Button>
    </EmptyState>
  )
}
