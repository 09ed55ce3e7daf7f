// From a new gateway to a first answered call, step by step. Any step can be opened, left and resumed.
import { IconTickCircle } from '@douyinfe/semi-icons'
import { useState, type ComponentType } from 'react'
import { Link } from 'react-router'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/empty.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button } from '../../semi.ts'
import { CallStep } from './call-step.tsx'
import { ChannelStep } from './channel-step.tsx'
import { words } from './path-texts.ts'
import { PricesStep } from './prices-step.tsx'
import { TokenStep } from './token-step.tsx'
import { SETUP_STEPS, useDone, useFacts, type SetupStep, type StepProps } from './use-facts.ts'
import './path.css'

const BODIES: Record<SetupStep, ComponentType<StepProps>> = {
  channel: ChannelStep,
  prices: PricesStep,
  token: TokenStep,
  call: CallStep,
}

export function SetupPath() {
  const t = useTexts(words)
  const read = useFacts()
  const { data: facts, reload } = read
  const done = useDone(facts)
  const [opened, setOpened] = useState<SetupStep | null>(null)
  if (!facts)
    return read.error ? (
      <EmptyState page failed title={t.failed} description={read.error}>
        <Button onClick={reload}>{t.retry}</Button>
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
        <h1>{count === SETUP_STEPS.length ? t.ready : t.title}</h1>
        <p className="muted">{fillPhrase(t.progress, { done: count, all: SETUP_STEPS.length })}</p>
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
                <strong>{t[step]}</strong>
                <span className="muted">{done[step] ? t.done : t.open}</span>
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
        <Link to="/">{count === SETUP_STEPS.length ? t.leave : t.later}</Link>
        <span className="muted">{count < SETUP_STEPS.length && t.laterHint}</span>
      </p>
    </div>
  )
}
