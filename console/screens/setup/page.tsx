// The first-run wizard: the administrator's account, the mode of use, and the one-time code where one is asked for.
import { Banner, Button, Empty, Input } from '../../semi.ts'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { goTo } from '../../data/base.ts'
import { client, RequestFailure } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { SetupForm } from '../../../core/site/contract.ts'
import { useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { ModeChoice, type Mode } from './mode-choice.tsx'
import { words } from './texts.ts'
import './setup.css'

/** After a success the page starts anew, so that everything sees the server that is now set up. */
const RELOAD_MS = 1500

export function Page() {
  const t = useTexts(words)
  const navigate = useNavigate()
  const { data, loading, reload } = useEndpoint(() => client.site.setupStatus(), [])
  useEffect(() => {
    if (data?.status) void navigate('/', { replace: true })
  }, [data, navigate])
  if (loading || data?.status) return <Waiting />
  if (!data) {
    return (
      <Empty className="page-empty" title={t.unavailable}>
        <Button onClick={reload}>{t.retry}</Button>
      </Empty>
    )
  }
  return (
    <Wizard hasRoot={data.root_init} sqlite={data.database_type.startsWith('sqlite')} needsCode={data.code_required} />
  )
}

const blank = { username: '', password: '', confirmPassword: '', code: '' }

function Wizard({ hasRoot, sqlite, needsCode }: { hasRoot: boolean; sqlite: boolean; needsCode: boolean }) {
  const t = useTexts(words)
  const [form, setForm] = useState(blank)
  const [mode, setMode] = useState<Mode>('external')
  const [busy, setBusy] = useState(false)
  const fields = useFields(SetupForm)
  const field = (name: keyof typeof blank) => ({
    'aria-label': fields(name).label,
    size: 'large' as const,
    value: form[name],
    onChange: (text: string) => setForm((old) => ({ ...old, [name]: text })),
  })

  const wrong = () => {
    if (!hasRoot && form.username.trim() === '') return t.needUsername
    if (!hasRoot && form.password.length < 8) return t.needPassword
    if (!hasRoot && form.password !== form.confirmPassword) return t.mismatch
    return needsCode && form.code.trim() === '' ? t.needCode : null
  }
  const submit = async () => {
    const reason = wrong()
    if (reason) return notify.error(reason)
    setBusy(true)
    try {
      await client.site.setup({
        ...form,
        username: form.username.trim(),
        code: form.code.trim(),
        SelfUseModeEnabled: mode === 'self',
        DemoSiteEnabled: mode === 'demo',
      })
      notify.success(t.done)
      setTimeout(() => goTo('/'), RELOAD_MS)
    } catch (error) {
      setBusy(false)
      if (!(error instanceof RequestFailure)) throw error
      notify.error(error.code === 'setup.not_here' ? t.wrongCode : t.failed)
    }
  }

  return (
    <form
      className="setup"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <header>
        <h1>{t.title}</h1>
        <p className="muted">{t.lead}</p>
      </header>
      {sqlite && <Banner type="warning" closeIcon={null} description={t.sqlite} />}
      {needsCode && (
        <section className="sheet">
          <h2>{t.codeTitle}</h2>
          <Field label={fields('code').label} hint={fields('code').help}>
            <Input {...field('code')} className="mono" autoComplete="one-time-code" />
          </Field>
        </section>
      )}
      {hasRoot ? (
        <Banner type="info" closeIcon={null} description={t.rootThere} />
      ) : (
        <section className="sheet">
          <h2>{t.account}</h2>
          <Field label={fields('username').label} hint={fields('username').help} required>
            <Input {...field('username')} autoComplete="username" />
          </Field>
          <div className="field-columns">
            <Field label={fields('password').label} hint={fields('password').help} required>
              <Input {...field('password')} mode="password" autoComplete="new-password" />
            </Field>
            <Field label={fields('confirmPassword').label} required>
              <Input {...field('confirmPassword')} mode="password" autoComplete="new-password" />
            </Field>
          </div>
        </section>
      )}
      <section className="sheet">
        <h2>{t.system}</h2>
        <ModeChoice mode={mode} onChange={setMode} />
      </section>
      <div className="panel-foot">
        <Button htmlType="submit" theme="solid" size="large" loading={busy}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}
