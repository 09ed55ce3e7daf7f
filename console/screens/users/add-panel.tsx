// The panel that adds a user.
import { useState } from 'react'
import { MAX_DISPLAY_NAME, MAX_PASSWORD, MAX_USERNAME } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { showFieldErrors } from '../../data/refused-field.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { DeclaredField } from '../../parts/declared-fields.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { addForm } from './form.built.ts'
import { isPasswordLength } from './password.ts'
import { words } from './texts.ts'

export function AddPanel({ onClose, onSaved }: { onClose(): void; onSaved(): void }) {
  const t = useTexts(words)
  const [draft, setDraft] = useState({ username: '', display_name: '', password: '' })
  const [save, busy] = useAction(async () => {
    const username = draft.username.trim()
    const missing = [...(username === '' ? ['username'] : []), ...(draft.password === '' ? ['password'] : [])]
    if (missing.length > 0) return showFieldErrors(missing.map((field) => ({ field, message: t.bothNeeded })))
    if (!isPasswordLength(draft.password)) return showFieldErrors([{ field: 'password', message: t.limits }])
    await client.users.create({ ...draft, username })
    notify.success(t.created)
    onSaved()
    onClose()
  })
  const part = {
    form: addForm,
    draft,
    set: (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change })),
  }
  return (
    <SidePanel
      title={t.newTitle}
      side="left"
      busy={busy}
      submit={t.create}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField {...part} name="username" required longest={MAX_USERNAME} />
      <DeclaredField {...part} name="display_name" longest={MAX_DISPLAY_NAME} />
      <DeclaredField {...part} name="password" required longest={MAX_PASSWORD} />
    </SidePanel>
  )
}
