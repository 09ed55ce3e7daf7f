// The panel that changes the user's names.
import { useState } from 'react'
import { MAX_DISPLAY_NAME, MAX_USERNAME, type ShownUser } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useSession } from '../../data/session.tsx'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { DeclaredField } from '../../parts/declared-fields.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { ownForm } from './form.built.ts'
import { words } from './texts.ts'

interface ProfileEditorProps {
  user: ShownUser
  onSaved(): void
  onClose(): void
}

export function ProfileEditor({ user, onSaved, onClose }: ProfileEditorProps) {
  const t = useTexts(words)
  const session = useSession()
  const [draft, setDraft] = useState({ username: user.username, display_name: user.display_name })
  const set = (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change }))
  const [save, busy] = useAction(async () => {
    const names = { username: draft.username.trim(), display_name: draft.display_name.trim() }
    await client.users.updateSelf({ ...names, version: user.version })
    if (session.user) session.begin({ ...session.user, ...names })
    notify.success(t.profileSaved)
    onSaved()
    onClose()
  })
  const part = { form: ownForm, draft, set, required: true }
  return (
    <SidePanel
      title={t.editProfile}
      side="right"
      busy={busy}
      submit={t.save}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField {...part} name="username" longest={MAX_USERNAME} />
      <DeclaredField {...part} name="display_name" longest={MAX_DISPLAY_NAME} />
    </SidePanel>
  )
}
