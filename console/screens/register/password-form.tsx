// The form of a new account with a password.
import { IconLock, IconMail, IconUser } from '@douyinfe/semi-icons'
import { useState, type ReactNode } from 'react'
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import { MAX_PASSWORD, MAX_USERNAME, MIN_PASSWORD } from '../../../core/users/user.ts'
import { quietClient, RequestFailure } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { preferences } from '../../data/preferences.ts'
import { useStatus } from '../../data/status.ts'
import { useAction } from '../../data/use-endpoint.ts'
import type { HumanCheck } from '../../data/use-human-check.ts'
import { useText } from '../../data/texts.tsx'
import { CountdownButton } from '../../parts/countdown-button.tsx'
import { Field } from '../../parts/field.tsx'
import { Button, Input } from '../../semi.ts'
import { EntryForm } from '../login/entry.tsx'
import { blankForm, FIELD_OF, isTooLong, findFieldError, type RegisterForm, type RegisterField } from './rules.ts'

interface Props {
  human: HumanCheck
  /** @param user null if the user must sign in separately */
  onMade(user: SignedIn | null): void
}

export function PasswordForm({ human, onMade }: Props) {
  const t = useText()
  const { email_verification: byMail } = useStatus()
  const [form, setForm] = useState<RegisterForm>(blankForm)
  const [left, setLeft] = useState<readonly RegisterField[]>([])
  const [refused, setRefused] = useState<Partial<RegisterForm>>({})
  const wrong = findFieldError(form, byMail, t)

  /** Shows an error of the server at its field, or as a message if it has none. */
  const withFieldErrors = async <T,>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const name = FIELD_OF[error.code ?? '']
      if (name) setRefused({ [name]: error.message })
      else if (error.kind) notify[error.kind](error.message)
      throw error
    }
  }
  const [submit, busy] = useAction(async () => {
    setLeft(Object.keys(blankForm) as RegisterField[])
    if (Object.keys(wrong).length > 0) return
    const account = { ...form, username: form.username.trim(), email: form.email.trim() }
    const made = await human.withToken((turnstile) =>
      withFieldErrors(
        quietClient.auth.register({
          ...account,
          verification_code: form.verification_code.trim(),
          aff_code: preferences.inviter.read(),
          ...(turnstile ? { turnstile } : {}),
        }),
      ),
    )
    if (made) onMade(await signInNewUser(account, human.off))
  })
  const sendCode = async () => {
    const email = form.email.trim()
    setLeft([...left, 'email'])
    if (email === '') return false
    const sent = await human.withToken((turnstile) =>
      withFieldErrors(quietClient.auth.verification({ email, ...(turnstile ? { turnstile } : {}) })).then(() => true),
    )
    if (sent) notify.success(t('verification code sent, check your mailbox'))
    return sent === true
  }

  const field = (name: RegisterField, label: string, hint?: string) => ({
    field: name,
    label,
    hint,
    required: true,
    error: refused[name] ?? (left.includes(name) || isTooLong(form, name) ? wrong[name] : undefined),
  })
  const input = (name: RegisterField, label: string, icon?: ReactNode) => ({
    size: 'large' as const,
    'aria-label': label,
    'aria-required': true,
    prefix: icon,
    name,
    value: form[name],
    onChange: (text: string) => {
      setForm((old) => ({ ...old, [name]: text }))
      setRefused({})
    },
    onBlur: () => {
      // An empty field that was only tabbed through has no error.
      if (form[name] !== '') setLeft((old) => [...old, name])
    },
  })
  return (
    <EntryForm onSubmit={() => void submit()}>
      <Field {...field('username', t('Username'), t('Up to {max} characters', { max: MAX_USERNAME }))}>
        <Input {...input('username', t('Username'), <IconUser aria-hidden />)} autoComplete="username" />
      </Field>
      <Field
        {...field(
          'password',
          t('Password'),
          t('{min} to {max} characters', { context: 'hint', min: MIN_PASSWORD, max: MAX_PASSWORD }),
        )}
      >
        <Input
          {...input('password', t('Password'), <IconLock aria-hidden />)}
          mode="password"
          autoComplete="new-password"
        />
      </Field>
      <Field {...field('password2', t('Confirm password'))}>
        <Input
          {...input('password2', t('Confirm password'), <IconLock aria-hidden />)}
          mode="password"
          autoComplete="new-password"
        />
      </Field>
      {byMail && (
        <>
          <Field {...field('email', t('Email'))}>
            <div className="login-code">
              <Input {...input('email', t('Email'), <IconMail aria-hidden />)} type="email" autoComplete="email" />
              <CountdownButton size="large" resting={(n) => t('Resend ({n})', { n })} run={sendCode}>
                {t('Get code')}
              </CountdownButton>
            </div>
          </Field>
          <Field {...field('verification_code', t('Code'))}>
            <Input {...input('verification_code', t('Code'))} autoComplete="one-time-code" />
          </Field>
        </>
      )}
      <Button htmlType="submit" theme="solid" size="large" block loading={busy}>
        {t('Sign up')}
      </Button>
    </EntryForm>
  )
}

/** Signs the new user in. A used human check cannot be repeated, so then the user must sign in separately. */
const signInNewUser = ({ username, password }: Pick<RegisterForm, 'username' | 'password'>, mayTry: boolean) =>
  mayTry ? quietClient.auth.login({ username, password }).catch(() => null) : null
