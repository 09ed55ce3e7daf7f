// The running version, and the enabled ways to sign in.
import type { ReactNode } from 'react'
import { signInServices } from '../../../core/settings/sign-in-services.ts'
import { useServerStatus } from '../../data/status.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { ColorDot } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
const PACKAGE = 'weir-gateway'
const LICENCE = 'Apache-2.0'

export function SystemStatus() {
  const t = useText()
  const status = useServerStatus()
  const { language } = useLanguage()
  const switches: [string, boolean][] = [
    [t('Email verification'), status.email_verification],
    [t('Human check (Turnstile)'), status.turnstile_check],
    ...Object.values(signInServices).map(({ name, shown }): [string, boolean] => [name[language], status[shown]]),
  ]
  return (
    <section className="system-status" aria-labelledby="system-status">
      <h2 id="system-status">{t('System status')}</h2>
      <Card title={t('System information')}>
        <Line label={t('Name')}>{status.system_name}</Line>
        <Line label={t('Version')}>{status.version}</Line>
        <Line label={t('Package')}>{PACKAGE}</Line>
        <Line label={t('Licence')}>{LICENCE}</Line>
        <Line label={t('Started')}>{status.start_time > 0 && <RelativeTime seconds={status.start_time} exact />}</Line>
      </Card>
      <Card title={t('System configuration')}>
        {switches.map(([label, on]) => (
          <Line key={label} label={label}>
            <ColorDot isWord color={on ? 'green' : 'grey'}>
              {on ? t('enabled') : t('disabled', { context: 'way' })}
            </ColorDot>
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
