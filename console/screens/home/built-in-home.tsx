// The home page of a site that has not made its own: where to send calls, and how.
import { IconBookStroked, IconKey } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../data/session.tsx'
import { useServerAddress, useStatus } from '../../data/status.ts'
import { useTexts } from '../../data/texts.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Button, Radio, RadioGroup } from '../../semi.ts'
import { samples, type SampleName } from './samples.ts'
import { words } from './texts.ts'

export function BuiltInHome() {
  const t = useTexts(words)
  const status = useStatus()
  const baseUrl = `${useServerAddress()}/v1`
  const { user } = useSession()
  const navigate = useNavigate()
  return (
    <div className="home">
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
      <Samples baseUrl={baseUrl} />
    </div>
  )
}

function Samples({ baseUrl }: { baseUrl: string }) {
  const t = useTexts(words)
  const [chosen, setChosen] = useState<SampleName>('Shell')
  const names = Object.keys(samples) as SampleName[]
  return (
    <section className="sheet samples">
      <header>
        <h2>{t.howTitle}</h2>
        <RadioGroup
          type="button"
          aria-label={t.howTitle}
          value={chosen}
          onChange={({ target }) => setChosen(target.value as SampleName)}
        >
          {names.map((name) => (
            <Radio key={name} value={name}>
              {t[`sample${name}`]}
            </Radio>
          ))}
        </RadioGroup>
      </header>
      <pre>
        <code>{samples[chosen](baseUrl)}</code>
      </pre>
    </section>
  )
}
