// Changes the password, or sets the first one of a user who came through another service.
import { useState } from 'react'
import { MAX_PASSWORD, MIN_PASSWORD, type ShownUser } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { showFieldErrors, type FieldRefusal } from '../../data/refused-field.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { Field } from '../../parts/field.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Button, Input } from '../../semi.ts'
import { Section } from './section.tsx'
import { words } from './texts.ts'

interface Props {
  user: ShownUser
  open: boolean
  onOpen(open: boolean): void
}

export function PasswordSection({ user, open, onOpen }: Props) {
  const t = useTexts(words)
  return (
    <>
      <Section
        id="password"
        title={t.password}
        lead={fillPhrase(t.passwordLead, { min: MIN_PASSWORD, max: MAX_PASSWORD })}
        actions={<Button onClick={() => onOpen(true)}>{t.changePassword}</Button>}
      >
        {null}
      </Section>
      {open && <PasswordPanel username={user.username} onClose={() => onOpen(false)} />}
    </>
  )
}

const blank = { original_password: '', password: '', again: '' }

function PasswordPanel({ username, onClose }: { username: string; onClose(): void }) {
  const t = useTexts(words)
  const [draft, setDraft] = useState(blank)
  const { data } = useEndpoint(['auth.bindings'], () => client.auth.bindings())
  const isFirst = data?.has_password === false
  const [save, busy] = useAction(async () => {
    const wrong = findFieldErrors(draft, isFirst, t)
    if (wrong.length > 0) return showFieldErrors(wrong)
    const { password, original_password } = draft
    await client.users.updateSelf({ password, original_password })
    notify.success(t.passwordChanged)
    onClose()
  })
  const field = (name: keyof typeof blank, label: string, hint?: string) => (
    <Field field={name} label={label} hint={hint} required>
      <Input
        mode="password"
        aria-label={label}
        autoComplete={name === 'original_password' ? 'current-password' : 'new-password'}
        value={draft[name]}
        onChange={(text) => setDraft((old) => ({ ...old, [name]: text }))}
      />
    </Field>
  )
  return (
    <SidePanel
      title={isFirst ? t.setPassword : t.changePassword}
      side="right"
      busy={busy}
      submit={t.save}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {/* Password managers need the username. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {!isFirst && field('original_password', t.originalPassword)}
      {field('password', t.newPassword, fillPhrase(t.passwordRule, { min: MIN_PASSWORD, max: MAX_PASSWORD }))}
      {field('again', t.again)}
      <p className="hint">{t.othersEnd}</p>
    </SidePanel>
  )
}

/** @param isFirst true if there is no password yet */
function findFieldErrors(draft: typeof blank, isFirst: boolean, t: (typeof words)['en']): FieldRefusal[] {
  const { original_password: original, password, again } = draft
  const isLong = password.length < MIN_PASSWORD || password.length > MAX_PASSWORD
  const found: (FieldRefusal | false)[] = [
    !isFirst && original === '' && { field: 'original_password', message: t.originalNeeded },
    password === ''
      ? { field: 'password', message: t.newNeeded }
      : isLong
        ? { field: 'password', message: fillPhrase(t.passwordRule, { min: MIN_PASSWORD, max: MAX_PASSWORD }) }
        : !isFirst && password === original && { field: 'password', message: t.samePassword },
    again !== password && { field: 'again', message: t.different },
  ]
  return found.filter((each) => each !== false)
}
