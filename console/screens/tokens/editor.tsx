// The panel that creates tokens, one or many, and edits one.
import { useState } from 'react'
import { MAX_TOKEN_NAME, type Token } from '../../../core/tokens/token.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { showFieldErrors, type FieldRefusal } from '../../data/refused-field.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { DeclaredField, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { RatioTag } from '../../parts/tags.tsx'
import { PickMany, PickOne } from '../../parts/combobox.tsx'
import { Switch } from '../../semi.ts'
import { CountField } from './count-field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { toTokenChange, toTokenDraft, getNumberedName, toTokenRequest, type TokenDraft } from './form.ts'
import { form } from './form.built.ts'
import { LimitsPart, TeamField } from './limits-part.tsx'
import { QuotaField } from './quota-field.tsx'
import { words } from './texts.ts'
import { Note } from '../../parts/note.tsx'

interface Props {
  /** null to create tokens. */
  token: Token | null
  onClose(): void
  onSaved(): void
  /** Receives the tokens with their keys. */
  onMade(tokens: Token[]): void
}

export function TokenEditor({ token, onClose, onSaved, onMade }: Props) {
  const t = useTexts(words)
  const [draft, setDraft] = useState(() => toTokenDraft(token))
  const set = (change: Partial<TokenDraft>) => setDraft((old) => ({ ...old, ...change }))

  const [save, busy] = useAction(async () => {
    const wrong = findFieldErrors(draft, t)
    if (wrong.length > 0) return showFieldErrors(wrong)
    if (token) {
      await client.tokens.update({ id: token.id, version: token.version, ...toTokenChange(draft, token) })
      notify.success(t.updated)
    } else {
      const made = await createAll(toTokenRequest(draft), draft.count).catch((error: unknown) => {
        // Called even if only some were created: the list must show them.
        onSaved()
        throw error
      })
      notify.success(t.created_one)
      onMade(made)
    }
    onSaved()
    onClose()
  })

  return (
    <SidePanel
      title={token ? t.editTitle : t.newTitle}
      side={token ? 'right' : 'left'}
      busy={busy}
      submit={token ? t.save : t.create}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField form={form} name="name" draft={draft} set={set} required longest={MAX_TOKEN_NAME} />
      <TeamField draft={draft} set={set} token={token} />
      <ExpiryField value={draft.expires} onChange={(expires) => set({ expires })} />
      <Note warns>{t.quotaBanner}</Note>
      <QuotaField draft={draft} set={set} />
      {!token && <CountField value={draft.count} onChange={(count) => set({ count })} />}
      <GroupField value={draft.group} onChange={(group) => set({ group })} />
      <ModelLimits draft={draft} set={set} />
      <DeclaredField form={form} name="allow_ips" draft={draft} set={set} />
      <LimitsPart draft={draft} set={set} />
    </SidePanel>
  )
}

/** Returns the errors that the page can find without the server. */
function findFieldErrors({ name, expires, count }: TokenDraft, t: (typeof words)['en']): FieldRefusal[] {
  const seen: [boolean, FieldRefusal][] = [
    [name.trim() === '', { field: 'name', message: t.enterName }],
    [expires !== null && Number.isNaN(expires), { field: 'expired_time', message: t.expiryError }],
    [!Number.isInteger(count) || count < 1, { field: 'count', message: t.countError }],
  ]
  return seen.filter(([isWrong]) => isWrong).map(([, refusal]) => refusal)
}

/** Creates tokens one after another. The first failure stops it. */
async function createAll(request: ReturnType<typeof toTokenRequest>, count: number): Promise<Token[]> {
  const made: Token[] = []
  for (let index = 0; index < count; index++) {
    made.push(await client.tokens.create({ ...request, name: getNumberedName(request.name, index) }))
  }
  return made
}

interface Part {
  draft: TokenDraft
  set(change: Partial<TokenDraft>): void
}

function ModelLimits({ draft, set }: Part) {
  const t = useTexts(words)
  const field = useFields(form)
  const limited = field('model_limits_enabled')
  const { data = [] } = useEndpoint(['users.models'], () => client.users.models())
  return (
    <Field field="model_limits" label={limited.label} hint={limited.help}>
      <Switch
        aria-label={limited.label}
        checked={draft.model_limits_enabled}
        onChange={(model_limits_enabled) => set({ model_limits_enabled })}
      />
      {draft.model_limits_enabled && (
        <PickMany
          label={field('model_limits').label}
          placeholder={t.modelsHint}
          value={draft.models}
          options={[...new Set([...data, ...draft.models])].map((name) => ({ value: name }))}
          onChange={(models) => set({ models })}
        />
      )}
    </Field>
  )
}

function GroupField({ value, onChange }: { value: string; onChange(group: string): void }) {
  const t = useTexts(words)
  const { data = {}, loading } = useEndpoint(['groups.usable'], () => client.groups.usable())
  const { label } = useFields(form)('group')
  const groups = Object.entries(data)
  const none = !loading && groups.length === 0
  return (
    <Field field="group" label={label}>
      <PickOne
        label={label}
        placeholder={none ? t.noGroups : t.groupHint}
        disabled={none}
        clearable
        value={value}
        onChange={onChange}
        options={groups.map(([group, { desc, ratio }]) => ({
          value: group,
          hint: desc,
          note: <RatioTag ratio={ratio} />,
        }))}
      />
    </Field>
  )
}
