// Budgets and limits in the token panel.
import type { Token } from '../../../core/tokens/token.ts'
import { client } from '../../data/client.ts'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { PickMany, PickOne } from '../../parts/combobox.tsx'
import { DeclaredField, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { parseList } from '../../../core/tokens/token.ts'
import { form } from './form.built.ts'
import type { TokenDraft } from './form.ts'
import { words } from './texts.ts'

interface LimitsPartProps {
  draft: TokenDraft
  set(change: Partial<TokenDraft>): void
}

export function LimitsPart(part: LimitsPartProps) {
  const t = useTexts(words)
  return (
    <section className="panel-part">
      <h2>{t.limits}</h2>
      <div className="field-columns field-columns-3">
        <DeclaredField form={form} name="budget_day" {...part} />
        <DeclaredField form={form} name="budget_week" {...part} />
        <DeclaredField form={form} name="budget_month" {...part} />
      </div>
      <ZoneField {...part} />
      <div className="field-columns field-columns-3">
        <DeclaredField form={form} name="requests_per_minute" {...part} />
        <DeclaredField form={form} name="tokens_per_minute" {...part} />
        <DeclaredField form={form} name="max_concurrent" {...part} />
      </div>
      <FallbackField {...part} />
    </section>
  )
}

/** Every time zone that the browser knows, its own first. */
function ZoneField({ draft, set }: LimitsPartProps) {
  const { label, help } = useFields(form)('time_zone')
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = [...new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  return (
    <Field field="time_zone" label={label} hint={help}>
      <PickOne
        label={label}
        placeholder="UTC"
        clearable
        free
        value={draft.time_zone}
        options={zones.map((value) => ({ value }))}
        onChange={(time_zone) => set({ time_zone })}
      />
    </Field>
  )
}

/** The fallback models, in the order they are tried. */
function FallbackField({ draft, set }: LimitsPartProps) {
  const t = useTexts(words)
  const { label, help } = useFields(form)('fallback_models')
  const { data = [] } = useEndpoint(['users.models'], () => client.users.models())
  return (
    <Field field="fallback_models" label={label} hint={help}>
      <PickMany
        label={label}
        placeholder={t.fallbackHint}
        free
        value={parseList(draft.fallback_models)}
        options={data.map((value) => ({ value }))}
        onChange={(models) => set({ fallback_models: models.join(',') })}
      />
    </Field>
  )
}

/** The account that pays: the user's own or that of a team. It is chosen when the token is created. */
export function TeamField({ draft, set, token }: LimitsPartProps & { token: Token | null }) {
  const t = useTexts(words)
  const { label } = useFields(form)('team_id')
  const { data } = useEndpoint(['teams.list', 'all'], () => client.teams.list({ page_size: 100 }))
  const teams = data?.items ?? []
  if (token ? token.team_id === 0 : teams.length === 0) return null
  // Teams that share a name are shown with their number.
  const isClear = (name: string) => teams.filter((team) => team.name === name).length === 1
  const options = teams.map(({ id, name }) => ({ value: String(id), label: isClear(name) ? name : `${name} #${id}` }))
  return (
    <Field field="team_id" label={label} hint={t.teamHint}>
      <PickOne
        label={label}
        placeholder={t.ownAccount}
        disabled={token !== null}
        clearable
        value={draft.team_id === 0 ? '' : String(draft.team_id)}
        options={options}
        onChange={(id) => set({ team_id: Number(id) })}
      />
    </Field>
  )
}
