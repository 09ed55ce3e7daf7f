// The panel that makes tokens, one or many, and changes one.
import { useState } from 'react'
import { TokenForm } from '../../../core/tokens/contract.ts'
import { MAX_TOKEN_NAME, type Token } from '../../../core/tokens/token.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { DeclaredField, DeclaredFields, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { RatioTag } from '../../parts/tags.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Banner, Switch } from '../../semi.ts'
import { CountField } from './count-field.tsx'
import { ExpiryField } from './expiry-field.tsx'
import { changeOf, draftOf, nameAt, requestOf, type TokenDraft } from './form.ts'
import { QuotaField } from './quota-field.tsx'
import { words } from './texts.ts'

interface Props {
  /** Null to make new ones. */
  token: Token | null
  onClose(): void
  onSaved(): void
}

export function TokenEditor({ token, onClose, onSaved }: Props) {
  const t = useTexts(words)
  const [draft, setDraft] = useState(() => draftOf(token))
  const [asked, setAsked] = useState(false)
  const set = (change: Partial<TokenDraft>) => setDraft((old) => ({ ...old, ...change }))
  const nameless = draft.name.trim() === ''

  const [save, busy] = useAction(async () => {
    setAsked(true)
    if (nameless) return notify.error(t.enterName)
    if (draft.expires !== null && Number.isNaN(draft.expires)) return notify.error(t.expiryError)
    if (!Number.isInteger(draft.count) || draft.count < 1) return notify.error(t.countError)
    if (token) {
      await client.tokens.update({ id: token.id, ...changeOf(draft, token) })
      notify.success(t.updated)
    } else {
      await createAll(requestOf(draft), draft.count).catch((error: unknown) => {
        // Some may exist already: the list must show them.
        onSaved()
        throw error
      })
      notify.success(t.created_one)
    }
    onSaved()
    onClose()
  })

  return (
    <SidePanel
      title={token ? t.editTitle : t.newTitle}
      open
      side={token ? 'right' : 'left'}
      busy={busy}
      submit={t.submit}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField
        form={TokenForm}
        name="name"
        draft={draft}
        set={set}
        required
        longest={MAX_TOKEN_NAME}
        error={asked && nameless ? t.enterName : undefined}
      />
      <ExpiryField value={draft.expires} onChange={(expires) => set({ expires })} />
      <Banner fullMode={false} type="warning" closeIcon={null} description={t.quotaBanner} />
      <QuotaField draft={draft} set={set} />
      {!token && <CountField value={draft.count} onChange={(count) => set({ count })} />}
      <GroupField value={draft.group} onChange={(group) => set({ group })} />
      <ModelLimits draft={draft} set={set} />
      <DeclaredField form={TokenForm} name="allow_ips" draft={draft} set={set} />
      <h2>{t.limits}</h2>
      <DeclaredFields form={TokenForm} group="limits" draft={draft} set={set} />
    </SidePanel>
  )
}

/** One after another; the first failure ends it. */
async function createAll(request: ReturnType<typeof requestOf>, count: number) {
  for (let index = 0; index < count; index++) {
    await client.tokens.create({ ...request, name: nameAt(request.name, index) })
  }
}

interface Part {
  draft: TokenDraft
  set(change: Partial<TokenDraft>): void
}

function ModelLimits({ draft, set }: Part) {
  const t = useTexts(words)
  const field = useFields(TokenForm)
  const limited = field('model_limits_enabled')
  const { data = [], loading } = useEndpoint(() => client.users.models(), [])
  return (
    <Field label={limited.label} hint={limited.help}>
      <Switch
        aria-label={limited.label}
        checked={draft.model_limits_enabled}
        onChange={(model_limits_enabled) => set({ model_limits_enabled })}
      />
      {draft.model_limits_enabled && (
        <Choice
          className="limit-models"
          label={field('model_limits').label}
          placeholder={t.modelsHint}
          multiple
          filter
          showClear
          loading={loading}
          maxTagCount={12}
          value={draft.models}
          optionList={[...new Set([...data, ...draft.models])].map((name) => ({ value: name, label: name }))}
          onChange={(models) => set({ models: models as string[] })}
        />
      )}
    </Field>
  )
}

function GroupField({ value, onChange }: { value: string; onChange(group: string): void }) {
  const t = useTexts(words)
  const { data = {}, loading } = useEndpoint(() => client.groups.usable(), [])
  const { label } = useFields(TokenForm)('group')
  const groups = Object.entries(data)
  const none = !loading && groups.length === 0
  return (
    <Field label={label}>
      <Choice
        label={label}
        placeholder={none ? t.noGroups : t.groupHint}
        disabled={none}
        loading={loading}
        showClear
        value={value || undefined}
        onChange={(group) => onChange(typeof group === 'string' ? group : '')}
        onClear={() => onChange('')}
        renderSelectedItem={(option: Record<string, unknown>) => String(option['value'])}
        optionList={groups.map(([group, { desc, ratio }]) => ({
          value: group,
          label: (
            <span className="group-option">
              <span>
                <strong>{group}</strong>
                <small>{desc}</small>
              </span>
              <RatioTag ratio={ratio} />
            </span>
          ),
        }))}
      />
    </Field>
  )
}
