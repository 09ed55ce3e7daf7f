// The steps from a new installation to its first answered call, until all of them are done.
import { IconTickCircle } from '@douyinfe/semi-icons'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { texts, useText } from '../../data/texts.tsx'
import { SETUP_STEPS, type SetupStep, useDone, useFacts } from '../setup/use-facts.ts'

const STEP_TEXTS = texts<SetupStep>({
  channel: 'Add a channel',
  prices: 'Set the prices of its models',
  token: 'Create an API token',
  call: 'Make a first call',
})
const ADDRESSES: Readonly<Record<SetupStep, string>> = {
  channel: '/channel',
  prices: '/prices',
  token: '/token/edit',
  call: '/playground',
}

/** `otherwise` is shown once all steps are done, and while it is not known which are. */
export function FirstSteps({ otherwise }: { otherwise: ReactNode }) {
  const t = useText()
  const { data: facts } = useFacts()
  const done = useDone(facts)
  if (!facts || SETUP_STEPS.every((step) => done[step])) return otherwise
  const next = SETUP_STEPS.find((step) => !done[step])
  return (
    <section className="sheet first-steps" aria-label={t('First steps')}>
      <h2>{t('First steps')}</h2>
      <ol>
        {SETUP_STEPS.map((step, at) => (
          <li
            key={step}
            className={done[step] ? 'first-step-done' : undefined}
            aria-current={step === next ? 'step' : undefined}
          >
            <span className="first-step-mark" aria-hidden="true">
              {done[step] ? <IconTickCircle /> : at + 1}
            </span>
            {done[step] ? t(STEP_TEXTS[step]) : <Link to={ADDRESSES[step]}>{t(STEP_TEXTS[step])}</Link>}
            <span className="muted">{done[step] ? t('done') : t('to do')}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
