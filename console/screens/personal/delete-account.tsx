// Deletes the user's account: the losses are listed, and the username must be entered.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isRoot, type ShownUser } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useSession } from '../../data/session.tsx'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { Section } from './layout.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Note } from '../../parts/note.tsx'
import { Button, Input } from '../../semi.ts'
import { words } from './texts.ts'

export function DeleteAccount({ user }: { user: ShownUser }) {
  const t = useTexts(words)
  const [open, setOpen] = useState(false)
  const canGo = !isRoot(user)
  return (
    <Section
      id="delete"
      title={t.deletion}
      lead={canGo ? t.deletionLead : t.rootStays}
      actions={
        canGo && (
          <Button type="danger" onClick={() => setOpen(true)}>
            {t.deleteAccount}
          </Button>
        )
      }
    >
      {open && <DeleteDialog user={user} onClose={() => setOpen(false)} />}
    </Section>
  )
}

function DeleteDialog({ user, onClose }: { user: ShownUser; onClose(): void }) {
  const t = useTexts(words)
  const session = useSession()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const isTyped = typed.trim() === user.username
  const [drop, busy] = useAction(async () => {
    setSubmitted(true)
    if (!isTyped) return
    await client.users.deleteSelf()
    notify.success(t.accountDeleted)
    session.end()
    await navigate('/login')
  })
  return (
    <Dialog
      title={t.deleteAccount}
      onClose={onClose}
      onSubmit={() => void drop()}
      foot={
        <>
          <Button type="tertiary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button htmlType="submit" theme="solid" type="danger" loading={busy}>
            {t.deleteAccount}
          </Button>
        </>
      }
    >
      <Note warns>{t.deleteBanner}</Note>
      <Losses user={user} />
      <Field
        field="username"
        label={fillPhrase(t.typeName, { name: user.username })}
        required
        error={isSubmitted && !isTyped ? t.nameWrong : undefined}
      >
        <Input
          aria-label={fillPhrase(t.typeName, { name: user.username })}
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
      </Field>
    </Dialog>
  )
}

/** Maximum number that is counted. */
const MOST = 100

/** The items of the account that are lost. */
function Losses({ user }: { user: ShownUser }) {
  const t = useTexts(words)
  const format = useFormat()
  const tokens = useEndpoint(['tokens.list', 'count'], () => client.tokens.list({ p: 0, size: 1 })).data?.total
  const teams = useEndpoint(['teams.list', 'own'], () => client.teams.list({ page_size: MOST })).data?.items
  return (
    <ul className="losses">
      <li>{fillPhrase(t.loseBalance, { amount: format.quota(user.quota + user.aff_quota) })}</li>
      {tokens !== undefined && <li>{fillPhrase(t.loseTokens, { n: format.number(tokens) })}</li>}
      {teams !== undefined && teams.length > 0 && (
        <li>{fillPhrase(t.loseTeams, { names: teams.map(({ name }) => name).join(', ') })}</li>
      )}
      <li>{t.loseSignIns}</li>
    </ul>
  )
}
