// The form of a new gateway: the administrator's account, the mode of use, and the one-time code if one is required.
import { useState } from 'react'
import { loadConsolePath } from '../../data/base.ts'
import { apiClient, RequestFailure } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useText } from '../../data/texts.tsx'
import { useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { Button, Input } from '../../semi.ts'
import { setupForm } from './form.built.ts'
import { ModeChoice, type UsageMode } from './mode-choice.tsx'

/** Delay after a success until the page is reloaded, so that everything sees the server that is now set up, in ms. */
const RELOAD_MS = 1500

const blank = { username: '', password: '', confirmPassword: '', code: '' }

interface Props {
  hasRoot: boolean
  sqlite: boolean
  needsCode: boolean
}

export function SetupWizard({ hasRoot, sqlite, needsCode }: Props) {
  const t = useText()
  const [form, setForm] = useState(blank)
  const [mode, setMode] = useState<UsageMode>('external')
  const [busy, setBusy] = useState(false)
  const [isSubmitted, setSubmitted] = useState(false)
  const session = useSignedInUser()
  const fields = useFieldTexts(setupForm)
  const field = (name: keyof typeof blank) => ({
    'aria-label': fields(name).label,
    size: 'large' as const,
    value: form[name],
    onChange: (text: string) => setForm((old) => ({ ...old, [name]: text })),
  })

  const wrong: Partial<Record<keyof typeof blank, string | false>> = {
    username: !hasRoot && form.username.trim() === '' && t('enter the administrator username'),
    password: !hasRoot && form.password.length < 8 && t('password must be at least 8 characters'),
    confirmPassword: !hasRoot && form.password !== form.confirmPassword && t('the two passwords do not match'),
    code: needsCode && form.code.trim() === '' && t('enter the one-time code'),
  }
  const errorAt = (name: keyof typeof blank) => (isSubmitted && wrong[name]) || undefined
  const submit = async () => {
    setSubmitted(true)
    if (Object.values(wrong).some(Boolean)) return
    setBusy(true)
    try {
      await apiClient.site.setup({
        ...form,
        username: form.username.trim(),
        code: form.code.trim(),
        SelfUseModeEnabled: mode === 'self',
        DemoSiteEnabled: mode === 'demo',
      })
      showNotice.success(t('setup success, redirecting'))
      const user = hasRoot ? null : await signInNewUser(form)
      setTimeout(() => {
        if (user) session.begin(user)
        loadConsolePath(user ? '/setup' : '/')
      }, RELOAD_MS)
    } catch (error) {
      setBusy(false)
      if (!(error instanceof RequestFailure)) throw error
      showNotice.error(
        error.code === 'setup.not_here' ? t('this is not the one-time code') : t('initialization failed, please retry'),
      )
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
        <h1>{t('System initialization')}</h1>
        <p className="muted">{t('The account first; then a channel, a token and a first call.')}</p>
      </header>
      {sqlite && (
        <InlineNote warns>
          {t(
            'SQLite is in use: map the database file to persistent storage or data is lost when the container restarts',
          )}
        </InlineNote>
      )}
      {needsCode && (
        <section className="sheet">
          <h2>{t('Setup code')}</h2>
          <FormField label={fields('code').label} hint={fields('code').help} error={errorAt('code')}>
            <Input {...field('code')} className="mono" autoComplete="one-time-code" />
          </FormField>
        </section>
      )}
      {hasRoot ? (
        <InlineNote>
          {t('the administrator account is already initialized, continue with the system settings')}
        </InlineNote>
      ) : (
        <section className="sheet">
          <h2>{t('Administrator account')}</h2>
          <FormField
            label={fields('username').label}
            hint={fields('username').help}
            error={errorAt('username')}
            required
          >
            <Input {...field('username')} autoComplete="username" />
          </FormField>
          <div className="field-columns">
            <FormField
              label={fields('password').label}
              hint={fields('password').help}
              error={errorAt('password')}
              required
            >
              <Input {...field('password')} mode="password" autoComplete="new-password" />
            </FormField>
            <FormField label={fields('confirmPassword').label} error={errorAt('confirmPassword')} required>
              <Input {...field('confirmPassword')} mode="password" autoComplete="new-password" />
            </FormField>
          </div>
        </section>
      )}
      <section className="sheet">
        <h2>{t('System settings')}</h2>
        <ModeChoice mode={mode} onChange={setMode} />
      </section>
      <div className="setup-foot">
        <Button htmlType="submit" theme="solid" size="large" loading={busy}>
          {t('Initialize')}
        </Button>
      </div>
    </form>
  )
}

/** Signs in with the new account; if that fails, the login page is next. */
const signInNewUser = ({ username, password }: { username: string; password: string }) =>
  apiClient.auth.login({ username: username.trim(), password }).catch(() => null)
