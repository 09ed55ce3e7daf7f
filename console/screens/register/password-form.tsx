// The form of a new account with a password.
import { IconLock, IconMail, IconUser } from '@douyinfe/semi-icons'
import { useState, type ReactNode } from 'react'
import type { SignedIn } from '../../../core/auth/signed-in.ts'
import { MAX_PASSWORD_LENGTH, MAX_USERNAME_LENGTH, MIN_PASSWORD_LENGTH } from '../../../core/users/user.ts'
import { quietClient, RequestFailure } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { storedPreferences } from '../../data/preferences.ts'
import { useServerStatus } from '../../data/status.ts'
import { useAction } from '../../data/use-endpoint.ts'
import type { HumanCheck } from '../../data/use-human-check.ts'
import { useText } from '../../data/texts.tsx'
import { CountdownButton } from '../../parts/form/countdown-button.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { Button, Input } from '../../semi.ts'
import { SignInForm } from '../login/entry.tsx'
import {
  blankRegisterForm,
  FIELD_BY_CODE,
  isTooLong,
  findFieldError,
  type RegisterForm,
  type RegisterField,
} from './rules.ts'

interface Props {
  human: HumanCheck
  /** @param user null if the user must sign in separately */
  onMade(user: SignedIn | null): void
}

export function PasswordForm({ human, onMade }: Props) {
  const t = useText()
  const { email_verification: byMail } = useServerStatus()
  const [form, setForm] = useState<RegisterForm>(blankRegisterForm)
  const [left, setLeft] = useState<readonly RegisterField[]>([])
  const [refused, setRefused] = useState<Partial<RegisterForm>>({})
  const wrong = findFieldError(form, byMail, t)

  /** Shows an error of the server at its field, or as a message if it has none. */
  const withFieldErrors = async <T,>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const name = FIELD_BY_CODE[error.code ?? '']
      if (name) setRefused({ [name]: error.message })
      else if (error.kind) showNotice[error.kind](error.message)
      throw error
    }
  }
  const [submit, busy] = useAction(async () => {
    setLeft(Object.keys(blankRegisterForm) as RegisterField[])
    if (Object.keys(wrong).length > 0) return
    const account = { ...form, username: form.username.trim(), email: form.email.trim() }
    const made = await human.withToken((turnstile) =>
      withFieldErrors(
        quietClient.auth.register({
          ...account,
          verification_code: form.verification_code.trim(),
          aff_code: storedPreferences.inviter.read(),
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
    if (sent) showNotice.success(t('verification code sent, check your mailbox'))
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
    <SignInForm onSubmit={() => void submit()}>
      <FormField {...field('username', t('Username'), t('Up to {max} characters', { max: MAX_USERNAME_LENGTH }))}>
        <Input {...input('username', t('Username'), <IconUser aria-hidden />)} autoComplete="username" />
      </FormField>
      <FormField
        {...field(
          'password',
          t('Password'),
          t('{min} to {max} characters', { context: 'hint', min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH }),
        )}
      >
        <Input
          {...input('password', t('Password'), <IconLock aria-hidden />)}
          mode="password"
          autoComplete="new-password"
        />
      </FormField>
      <FormField {...field('password2', t('Confirm password'))}>
        <Input
          {...input('password2', t('Confirm password'), <IconLock aria-hidden />)}
          mode="password"
          autoComplete="new-password"
        />
      </FormField>
      {byMail && (
        <>
          <FormField {...field('email', t('Email'))}>
            <div className="login-code">
              <Input {...input('email', t('Email'), <IconMail aria-hidden />)} type="email" autoComplete="email" />
              <CountdownButton size="large" resting={(n) => t('Resend ({n})', { n })} run={sendCode}>
                {t('Get code')}
              </CountdownButton>
            </div>
          </FormField>
          <FormField {...field('verification_code', t('Code'))}>
            <Input {...input('verification_code', t('Code'))} autoComplete="one-time-code" />
          </FormField>
        </>
      )}
      <Button htmlType="submit" theme="solid" size="large" block loading={busy}>
        {t('Sign up')}
      </Button>
    </SignInForm>
  )
}

/** Signs the new user in. A used human check cannot be repeated, so then the user must sign in separately. */
const signInNewUser = ({ username, password }: Pick<RegisterForm, 'username' | 'password'>, mayTry: boolean) =>
  mayTry ? quietClient.auth.login({ username, password }).catch(() => null) : null
