// The user's profile: names and group, balance and spending, and the models that may be called.
import { useState } from 'react'
import type { ShownUser } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { preferences, usePreference } from '../../data/preferences.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { useCopy } from '../../parts/copy.tsx'
import { Quota } from '../../parts/quota.tsx'
import { GroupTag, Tag } from '../../parts/tags.tsx'
import { Button } from '../../semi.ts'
import { Fact, Facts } from './facts.tsx'
import { ProfileEditor } from './profile-editor.tsx'
import { Section } from './section.tsx'
import { words } from './texts.ts'

interface Props {
  user: ShownUser
  onChanged(): void
}

export function Profile({ user, onChanged }: Props) {
  const t = useTexts(words)
  const format = useFormat()
  const [editing, setEditing] = useState(false)
  return (
    <Section id="profile" title={t.profile} actions={<Button onClick={() => setEditing(true)}>{t.edit}</Button>}>
      <div className="profile-who">
        <Avatar name={user.username} />
        <strong>{user.display_name || user.username}</strong>
        {user.display_name !== user.username && <span className="muted">{user.username}</span>}
        <Tag color="white">{roleName(user.role, t)}</Tag>
        <span className="muted">ID {user.id}</span>
        <GroupTag group={user.group} />
      </div>
      <Facts>
        <Fact name={t.balance}>
          <Quota value={user.quota} />
        </Fact>
        <Fact name={t.used}>
          <Quota value={user.used_quota} />
        </Fact>
        <Fact name={t.requests}>{format.number(user.request_count)}</Fact>
      </Facts>
      <Models />
      {editing && <ProfileEditor user={user} onSaved={onChanged} onClose={() => setEditing(false)} />}
    </Section>
  )
}

const ROLES: Record<number, 'common' | 'admin' | 'superAdmin'> = { 1: 'common', 10: 'admin', 100: 'superAdmin' }
const roleName = (role: number, t: (typeof words)['en']) => t[ROLES[role] ?? 'unknown']

/** Number of models that are shown at first. */
const FIRST_MODELS = 10

function Models() {
  const t = useTexts(words)
  const isExpanded = usePreference(preferences.modelsExpanded)
  const { data, loading } = useEndpoint(['users.models'], () => client.users.models())
  const [copy, dialog] = useCopy()
  const models = data ?? []
  const more = models.length - FIRST_MODELS
  return (
    <div className="profile-models" role="group" aria-label={t.models} aria-busy={!data && loading}>
      <h3>{t.models}</h3>
      {(isExpanded ? models : models.slice(0, FIRST_MODELS)).map((model) => (
        <button key={model} type="button" className="tag model-tag" onClick={() => void copy(model)}>
          {model}
        </button>
      ))}
      {more > 0 && (
        <Button
          size="small"
          theme="borderless"
          aria-expanded={isExpanded}
          onClick={() => preferences.modelsExpanded.write(!isExpanded)}
        >
          {isExpanded ? t.collapse : fillPhrase(t.more, { n: more })}
        </Button>
      )}
      {dialog}
    </div>
  )
}
