// The panel that creates tokens, one or many, and edits one.
import { useState } from 'react'
import { MAX_TOKEN_NAME, parseSeparatedList, type Token } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { type RefusedFormField, showNotice, showFieldErrors } from '../../data/notify.ts'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { MoneyField } from '../../parts/form/money-field.tsx'
import { MultipleCombobox, SingleCombobox } from '../../parts/form/combobox.tsx'
import { DeclaredField, useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { RatioTag } from '../../parts/text/tags.tsx'
import { Button, InputNumber, Switch } from '../../semi.ts'
import { ExpiryField } from './expiry-field.tsx'
import { tokenForm } from './form.built.ts'
import type { TokenDraft } from './form.ts'
import {
  TOKEN_COUNT_PRESETS,
  getNumberedName,
  QUOTA_PRESETS,
  toTokenChange,
  toTokenDraft,
  toTokenRequest,
} from './form.ts'
// The number of tokens to create at once.

export function CountField({ value, onChange }: { value: number; onChange(count: number): void }) {
  const t = useText()
  return (
    <FormField
      field="count"
      label={t('Count', { context: 'new' })}
      hint={t('Names after the first get a random ending.')}
    >
      <InputNumber
        aria-label={t('Count', { context: 'new' })}
        min={1}
        precision={0}
        value={value}
        onNumberChange={onChange}
      />
      <div className="field-row">
        {TOKEN_COUNT_PRESETS.map((count) => (
          <Button
            key={count}
            size="small"
            type={count === value ? 'primary' : 'tertiary'}
            onClick={() => onChange(count)}
          >
            {count}
          </Button>
        ))}
      </div>
    </FormField>
  )
}

// Budgets and limits in the token panel.

interface LimitsPartProps {
  draft: TokenDraft
  set(change: Partial<TokenDraft>): void
}

export function LimitsPart(part: LimitsPartProps) {
  const t = useText()
  return (
    <section className="panel-part">
      <h2>{t('Budgets and limits')}</h2>
      <div className="field-columns field-columns-3">
        <DeclaredField form={tokenForm} name="budget_day" {...part} />
        <DeclaredField form={tokenForm} name="budget_week" {...part} />
        <DeclaredField form={tokenForm} name="budget_month" {...part} />
      </div>
      <ZoneField {...part} />
      <div className="field-columns field-columns-3">
        <DeclaredField form={tokenForm} name="requests_per_minute" {...part} />
        <DeclaredField form={tokenForm} name="tokens_per_minute" {...part} />
        <DeclaredField form={tokenForm} name="max_concurrent" {...part} />
      </div>
      <FallbackField {...part} />
    </section>
  )
}

/** Every time zone that the browser knows, its own first. */
function ZoneField({ draft, set }: LimitsPartProps) {
  const { label, help } = useFieldTexts(tokenForm)('time_zone')
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <FormField field="time_zone" label={label} hint={help}>
      <SingleCombobox
        label={label}
        placeholder="UTC"
        clearable
        free
        value={draft.time_zone}
        options={zones.map((value) => ({ value }))}
        onChange={(time_zone) => set({ time_zone })}
      />
    </FormField>
  )
}

/** The fallback models, in the order they are tried. */
function FallbackField({ draft, set }: LimitsPartProps) {
  const t = useText()
  const { label, help } = useFieldTexts(tokenForm)('fallback_models')
  const { data = [] } = useEndpoint(['users.models'], () => apiClient.users.models())
  return (
    <FormField field="fallback_models" label={label} hint={help}>
      <MultipleCombobox
        label={label}
        placeholder={t('Tried in this order')}
        free
        value={parseSeparatedList(draft.fallback_models)}
        options={data.map((value) => ({ value }))}
        onChange={(models) => set({ fallback_models: models.join(',') })}
      />
    </FormField>
  )
}

/** The account that pays: the user's own or that of a team. It is chosen when the token is created. */
export function TeamField({ draft, set, token }: LimitsPartProps & { token: Token | null }) {
  const t = useText()
  const { label } = useFieldTexts(tokenForm)('team_id')
  const { data } = useEndpoint(['teams.list', 'all'], () => apiClient.teams.list({ page_size: 100 }))
  const teams = data?.items ?? []
  if (token ? token.team_id === 0 : teams.length === 0) return null
  // Teams that share a name are shown with their number.
  const isClear = (name: string) => teams.filter((team) => team.name === name).length === 1
  const options = teams.map(({ id, name }) => ({ value: String(id), label: isClear(name) ? name : `${name} #${id}` }))
  return (
    <FormField
      field="team_id"
      label={label}
      hint={t('The account that pays for its calls. It cannot be changed later.')}
    >
      <SingleCombobox
        label={label}
        placeholder={t('My own account')}
        disabled={token !== null}
        clearable
        value={draft.team_id === 0 ? '' : String(draft.team_id)}
        options={options}
        onChange={(id) => set({ team_id: Number(id) })}
      />
    </FormField>
  )
}

// The quota of a token, or no limit other than the balance of its owner.

interface QuotaFieldProps {
  draft: TokenDraft
  set(change: Partial<TokenDraft>): void
}

export function QuotaField({ draft, set }: QuotaFieldProps) {
  const t = useText()
  return (
    <MoneyField
      min={0}
      field="remain_quota"
      label={useFieldTexts(tokenForm)('remain_quota').label}
      value={draft.remain_quota}
      onChange={(remain_quota) => set({ remain_quota })}
      picks={QUOTA_PRESETS}
      disabled={draft.unlimited_quota}
    >
      <Button size="small" type="warning" onClick={() => set({ unlimited_quota: !draft.unlimited_quota })}>
        {draft.unlimited_quota ? t('Cancel unlimited') : t('Set unlimited')}
      </Button>
    </MoneyField>
  )
}

interface Props {
  /** null to create tokens. */
  token: Token | null
  onClose(): void
  onSaved(): void
  /** Receives the tokens with their keys. */
  onMade(tokens: Token[]): void
}

export function TokenEditor({ token, onClose, onSaved, onMade }: Props) {
  const t = useText()
  const [draft, setDraft] = useState(() => toTokenDraft(token))
  const set = (change: Partial<TokenDraft>) => setDraft((old) => ({ ...old, ...change }))

  const [save, busy] = useAction(async () => {
    const wrong = findFieldErrors(draft, t)
    if (wrong.length > 0) return showFieldErrors(wrong)
    if (token) {
      await apiClient.tokens.update({ id: token.id, version: token.version, ...toTokenChange(draft, token) })
      showNotice.success(t('token updated'))
    } else {
      const made = await createAll(toTokenRequest(draft), draft.count).catch((error: unknown) => {
        // Called even if only some were created: the list must show them.
        onSaved()
        throw error
      })
      showNotice.success(t('token created, copy it from the list'))
      onMade(made)
    }
    onSaved()
    onClose()
  })

  return (
    <SidePanel
      title={token ? t('Edit API token {name}', { name: token.name }) : t('New API token')}
      side={token ? 'right' : 'left'}
      busy={busy}
      submit={token ? t('Save') : t('Create', { context: 'save' })}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField form={tokenForm} name="name" draft={draft} set={set} required longest={MAX_TOKEN_NAME} />
      <TeamField draft={draft} set={set} token={token} />
      <ExpiryField value={draft.expires} onChange={(expires) => set({ expires })} />
      <InlineNote warns>{t("a token's quota only caps the token; the account balance still applies")}</InlineNote>
      <QuotaField draft={draft} set={set} />
      {!token && <CountField value={draft.count} onChange={(count) => set({ count })} />}
      <GroupField value={draft.group} onChange={(group) => set({ group })} />
      <ModelLimits draft={draft} set={set} />
      <DeclaredField form={tokenForm} name="allow_ips" draft={draft} set={set} />
      <LimitsPart draft={draft} set={set} />
    </SidePanel>
  )
}

/** Returns the errors that the page can find without the server. */
function findFieldErrors({ name, expires, count }: TokenDraft, t: Translate): RefusedFormField[] {
  const seen: [boolean, RefusedFormField][] = [
    [name.trim() === '', { field: 'name', message: t('enter a name') }],
    [expires !== null && Number.isNaN(expires), { field: 'expired_time', message: t('Expiry time format error!') }],
    [
      !Number.isInteger(count) || count < 1,
      { field: 'count', message: t('the count must be a positive whole number') },
    ],
  ]
  return seen.filter(([isWrong]) => isWrong).map(([, refusal]) => refusal)
}

/** Creates tokens one after another. The first failure stops it. */
async function createAll(request: ReturnType<typeof toTokenRequest>, count: number): Promise<Token[]> {
  const made: Token[] = []
  for (let index = 0; index < count; index++) {
    made.push(await apiClient.tokens.create({ ...request, name: getNumberedName(request.name, index) }))
  }
  return made
}

interface DraftPartProps {
  draft: TokenDraft
  set(change: Partial<TokenDraft>): void
}

function ModelLimits({ draft, set }: DraftPartProps) {
  const t = useText()
  const field = useFieldTexts(tokenForm)
  const limited = field('model_limits_enabled')
  const { data = [] } = useEndpoint(['users.models'], () => apiClient.users.models())
  return (
    <FormField field="model_limits" label={limited.label} hint={limited.help}>
      <Switch
        aria-label={limited.label}
        checked={draft.model_limits_enabled}
        onChange={(model_limits_enabled) => set({ model_limits_enabled })}
      />
      {draft.model_limits_enabled && (
        <MultipleCombobox
          label={field('model_limits').label}
          placeholder={t('The models this token may call')}
          value={draft.models}
          options={[...new Set([...data, ...draft.models])].map((name) => ({ value: name }))}
          onChange={(models) => set({ models })}
        />
      )}
    </FormField>
  )
}

function GroupField({ value, onChange }: { value: string; onChange(group: string): void }) {
  const t = useText()
  const { data = {}, loading } = useEndpoint(['groups.usable'], () => apiClient.groups.usable())
  const { label } = useFieldTexts(tokenForm)('group')
  const groups = Object.entries(data)
  const none = !loading && groups.length === 0
  return (
    <FormField field="group" label={label}>
      <SingleCombobox
        label={label}
        placeholder={none ? t('Administrator has not set user-selectable groups') : t("Empty: the user's group")}
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
    </FormField>
  )
}
