// The panel that creates an access token.
import { useState } from 'react'
import { NEVER } from '../../../core/tokens/token.ts'
import type { AccessToken } from '../../../core/users/access-token.ts'
import { client } from '../../data/client.ts'
import { showFieldErrors } from '../../data/refused-field.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { DeclaredField } from '../../parts/declared-fields.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { ExpiryField } from '../tokens/expiry-field.tsx'
import { accessTokenForm } from './form.built.ts'
import { words } from './texts.ts'

interface Draft {
  name: string
  scope: AccessToken['scope']
  /** In ms; null for never. */
  expires: number | null
}

interface AccessTokenPanelProps {
  /** Receives the text of the token, which is never shown again. */
  onMade(token: string): void
  onClose(): void
}

/** Maximum length of a name, as on the server. */
const MAX_NAME = 30

export function AccessTokenPanel({ onMade, onClose }: AccessTokenPanelProps) {
  const t = useTexts(words)
  const [draft, setDraft] = useState<Draft>({ name: '', scope: 'read', expires: null })
  const set = (change: Partial<Draft>) => setDraft((old) => ({ ...old, ...change }))
  const [make, busy] = useAction(async () => {
    const { name, scope, expires } = draft
    if (name.trim() === '') return showFieldErrors([{ field: 'name', message: t.nameNeeded }])
    if (Number.isNaN(expires)) return showFieldErrors([{ field: 'expired_time', message: t.expiryWrong }])
    const expired_time = expires === null ? NEVER : Math.floor(expires / 1000)
    onMade((await client.users.createAccessToken({ name: name.trim(), scope, expired_time })).token)
    onClose()
  })
  const part = { form: accessTokenForm, draft, set }
  return (
    <SidePanel
      title={t.createToken}
      side="left"
      busy={busy}
      submit={t.create}
      draft={draft}
      onSubmit={() => void make()}
      onClose={onClose}
    >
      <DeclaredField {...part} name="name" required longest={MAX_NAME} />
      <DeclaredField {...part} name="scope" />
      <ExpiryField value={draft.expires} onChange={(expires) => set({ expires })} />
    </SidePanel>
  )
}
