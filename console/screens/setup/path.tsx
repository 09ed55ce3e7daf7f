// From a new gateway to a first answered call, step by step. Any step can be opened, left and resumed.
import { IconTickCircle } from '@douyinfe/semi-icons'
import { type ComponentType, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { LOG_ROW_TYPE } from '../../../core/calls/log-entry.ts'
import { DEFAULT_GUIDE_MODEL } from '../../../core/tokens/token.ts'
import { toFullKey, MAX_TOKEN_NAME, type Token } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { useServerAddress } from '../../data/status.ts'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { ClientGuide } from '../../parts/text/client-guide.tsx'
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import { useFirstCallModel } from '../tokens/connect.tsx'
import { FirstCall, useFirstCall } from '../tokens/first-call.tsx'
import { ChannelStep } from './channel-step.tsx'
import './path.css'
import { PricesStep } from './prices-step.tsx'
import { SETUP_STEPS, type SetupStep, type StepProps, useDone, useFacts } from './use-facts.ts'

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
  return token ? <Calling token={token} answered={facts.answered} changed={changed} /> : <LoadingIndicator />
}

function Calling({ token, answered, changed }: { token: Token; answered: boolean; changed(): void }) {
  const t = useText()
  const key = toFullKey(token.key)
  const address = useServerAddress()
  const call = useFirstCall(token, key)
  const [model, setModel, models] = useFirstCallModel(token)
  const isAnswer = call.row !== undefined && call.row.type !== LOG_ROW_TYPE.error
  useEffect(() => {
    if (isAnswer && !answered) changed()
  }, [isAnswer, answered, changed])
  return (
    <div className="connect">
      <FirstCall call={call} model={model} />
      <FormField label={t('Model')}>
        <SingleCombobox
          label={t('Model')}
          value={model}
          onChange={setModel}
          options={models.map((value) => ({ value }))}
          free
        />
      </FormField>
      <ClientGuide first={{ key, address, model: model || DEFAULT_GUIDE_MODEL }} />
    </div>
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
            <li key={step} className={`sheet path-step${isOpen ? ' path-open' : ''}`}>
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
                  <Body facts={facts} changed={onChange} />
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
