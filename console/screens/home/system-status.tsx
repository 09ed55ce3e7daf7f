// The running version, and the enabled ways to sign in.
import type { ReactNode } from 'react'
import { signInServices } from '../../../core/settings/sign-in-services.ts'
import { useStatus } from '../../data/status.ts'
import { useLanguage, useTexts } from '../../data/texts.tsx'
import { Dot } from '../../parts/tags.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { words } from './texts.ts'

const PACKAGE = 'weir-gateway'
const LICENCE = 'Apache-2.0'

export function SystemStatus() {
  const t = useTexts(words)
  const status = useStatus()
  const { language } = useLanguage()
  const switches: [string, boolean][] = [
    [t.emailVerification, status.email_verification],
    [t.humanCheck, status.turnstile_check],
    ...Object.values(signInServices).map(({ name, shown }): [string, boolean] => [name[language], status[shown]]),
  ]
  return (
    <section className="system-status" aria-labelledby="system-status">
      <h2 id="system-status">{t.systemStatus}</h2>
      <Card title={t.systemInformation}>
        <Line label={t.name}>{status.system_name}</Line>
        <Line label={t.version}>{status.version}</Line>
        <Line label={t.source}>{PACKAGE}</Line>
        <Line label={t.licence}>{LICENCE}</Line>
        <Line label={t.started}>{status.start_time > 0 && <RelativeTime seconds={status.start_time} exact />}</Line>
      </Card>
      <Card title={t.systemConfiguration}>
        {switches.map(([label, on]) => (
          <Line key={label} label={label}>
            <Dot color={on ? 'green' : 'grey'}>{on ? t.on : t.off}</Dot>
          </Line>
        ))}
      </Card>
    </section>
  )
}

const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="sheet">
    <h3>{title}</h3>
    <dl>{children}</dl>
  </div>
)

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
