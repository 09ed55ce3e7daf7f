// From a new gateway to a first answered call, step by step. Any step can be opened, left and resumed.
import { IconTickCircle } from '@douyinfe/semi-icons'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { toFullKey, MAX_TOKEN_NAME } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import './path.css'
import { SETUP_STEPS, type SetupStep, type StepProps, useDone, useFacts } from './use-facts.ts'

// The content of a step is loaded when the step is open.
const ChannelStep = lazy(async () => ({ default: (await import('./channel-step.tsx')).ChannelStep }))
const PricesStep = lazy(async () => ({ default: (await import('./prices-step.tsx')).PricesStep }))
const KeyConfigurations = lazy(async () => ({ default: (await import('../tokens/connect.tsx')).KeyConfigurations }))

const STEP_TEXTS = texts({
  channel: 'Add a channel',
  token: 'Create an API token',
  call: 'Make a first call',
  prices: 'Models and their prices',
})

// The first call of the newest token: from here or from a client, and its answer with time and cost.

export function CallStep({ facts, changed }: StepProps) {
  const t = useText()
  const { newest } = facts
  const { data: token } = useEndpoint(['tokens.get', newest], async () =>
    newest > 0 ? apiClient.tokens.get({ id: newest }) : null,
  )
  if (newest === 0) return <p className="muted">{t('Create a token first.')}</p>
  return token ? (
    <KeyConfigurations
      token={token}
      whole={toFullKey(token.key)}
      known={facts.models}
      onAnswer={facts.answered ? undefined : changed}
    />
  ) : (
    <LoadingIndicator />
  )
}

// The first token, limited only by the balance of the account.

export function TokenStep({ facts, changed }: StepProps) {
  const t = useText()
  const [name, setName] = useState('first token')
  const [make, busy] = useAction(async () => {
    await apiClient.tokens.create({ name: name.trim(), unlimited_quota: true })
    changed()
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') void make()
      }}
    >
      <p className="muted">
        {facts.tokens > 0
          ? t('Tokens so far: {n}. You may make another.', { n: facts.tokens })
          : t('Programs call with its key. It may spend all of your balance; give others one with a quota.')}
      </p>
      <FormField label={t('Name')} required>
        <Input aria-label={t('Name')} maxLength={MAX_TOKEN_NAME} value={name} onChange={setName} />
      </FormField>
      <div className="path-acts">
        <Button htmlType="submit" theme="solid" loading={busy} disabled={name.trim() === ''}>
          {t('Create token')}
        </Button>
        <Link to="/token">{t('All fields of a token')}</Link>
      </div>
    </form>
  )
}

const STEP_CLASSES: Record<SetupStep, string> = {
  channel: 'path-channel',
  prices: 'path-prices-step',
  token: 'path-token',
  call: 'path-call',
}

const BODIES: Record<SetupStep, ComponentType<StepProps>> = {
  channel: ChannelStep,
  prices: PricesStep,
  token: TokenStep,
  call: CallStep,
}

export function SetupPath() {
  const t = useText()
  const read = useFacts()
  const { data: facts, reload } = read
  const done = useDone(facts)
  const [opened, setOpened] = useState<SetupStep | null>(null)
  if (!facts)
    return read.error ? (
      <EmptyState page failed title={t('The progress could not be loaded')} description={read.error}>
        <Button onClick={reload}>{t('Retry')}</Button>
      </EmptyState>
    ) : (
      <LoadingIndicator />
    )
  const count = SETUP_STEPS.filter((step) => done[step]).length
  // The first open step. The last one stays open, because it shows the answer.
  const now = opened ?? SETUP_STEPS.find((step) => !done[step]) ?? 'call'
  const onChange = () => {
    setOpened(null)
    reload()
  }
  return (
    <div className="setup">
      <header className="path-head">
        <h1>{count === SETUP_STEPS.length ? t('Your gateway answers') : t('To your first answered call')}</h1>
        <p className="muted">{t('{done} of {all} steps done', { done: count, all: SETUP_STEPS.length })}</p>
      </header>
      <ol className="path">
        {SETUP_STEPS.map((step, index) => {
          const Body = BODIES[step]
          const isOpen = step === now
          return (
            <li key={step} className={`sheet path-step ${STEP_CLASSES[step]}${isOpen ? ' path-open' : ''}`}>
              <button
                type="button"
                className="path-title"
                aria-expanded={isOpen}
                onClick={() => setOpened(isOpen ? null : step)}
              >
                <span className={`path-mark${done[step] ? ' path-done' : ''}`} aria-hidden="true">
                  {done[step] ? <IconTickCircle /> : index + 1}
                </span>
                <strong>{t(STEP_TEXTS[step])}</strong>
                <span className="muted">{done[step] ? t('done') : t('to do')}</span>
              </button>
              {isOpen && (
                <div className="path-body">
                  <Suspense fallback={<LoadingIndicator />}>
                    <Body facts={facts} changed={onChange} />
                  </Suspense>
                </div>
              )}
            </li>
          )
        })}
      </ol>
      <p className="path-foot">
        <Link to="/">{count === SETUP_STEPS.length ? t('Go to the console') : t('Leave for now')}</Link>
        <span className="muted">
          {count < SETUP_STEPS.length && t('You can continue here later, from where things stand then.')}
        </span>
      </p>
    </div>
  )
}
