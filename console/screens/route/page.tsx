// The route of a model's calls: tiers with shares, skipped channels with reasons, and the effect of disabling some.
import { IconRefresh } from '@douyinfe/semi-icons'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { RouteExplanation } from '../../../core/channels/contract.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { useEndpoint, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useTouched } from '../../data/touched.ts'
import { useText } from '../../data/texts.tsx'
import { SingleCombobox } from '../../parts/form/combobox.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import './route.css'
import { RouteTierList } from './tiers.tsx'

// The current time, second by second, for countdowns.

const seconds = () => Date.now() / 1000

/** Returns epoch seconds. It changes until `until`, and then `over` is called; 0 for no countdown. */
export function useNow(until: number, over: () => void): number {
  const [now, setNow] = useState(seconds)
  useEffect(() => {
    if (until === 0) return
    setNow(seconds())
    const timer = setInterval(() => {
      setNow(seconds())
      if (seconds() < until) return
      clearInterval(timer)
      over()
    }, 1000)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only another time starts another countdown
  }, [until])
  return now
}

const DEFAULT_QUERY = { model: '', group: '', token: '', prompt: '', without: '' }
type RouteQuery = typeof DEFAULT_QUERY

export function Page() {
  const t = useText()
  const [query, setQuery] = useUrlState(DEFAULT_QUERY)
  const { model, group, token, prompt, without } = query
  const explain = async (leftOut: string) =>
    model === ''
      ? null
      : apiClient.channels.route({ model, group, token_id: token, prompt_tokens: prompt, without: leftOut })
  const route = useEndpointWithError(['channels.route', query], () => explain(without))
  const whole = useEndpoint(['channels.route', { ...query, without: '' }], () => explain(''))
  const now = useNow(firstToEnd(route.data), route.reload)
  const found = route.data
  const ids = without === '' ? [] : without.split(',').map(Number)
  const leave = (some: number[]) => setQuery({ without: some.join(',') })
  const getChannelName = (id: number) => found?.channels.find((one) => one.id === id)?.name ?? String(id)
  return (
    <>
      <PageHead title={t('Route of calls')}>
        <Link className="head-link" to="/channel">
          {t('Channels')}
        </Link>
        <Button
          type="tertiary"
          icon={<IconRefresh aria-hidden />}
          disabled={model === ''}
          loading={route.loading}
          onClick={route.reload}
        >
          {t('Refresh')}
        </Button>
      </PageHead>
      <div className="sheet">
        <Question query={query} set={(change) => setQuery({ ...change, without: '' })} />
        {ids.length > 0 && found && (
          <InlineNote>
            <span>{t('Shown as if these were disabled: {names}.', { names: ids.map(getChannelName).join(', ') })}</span>{' '}
            <Button size="small" theme="borderless" onClick={() => leave([])}>
              {t('Put back')}
            </Button>
          </InlineNote>
        )}
        {model === '' ? (
          <EmptyState title={t('Choose a model to see where its calls go.')} />
        ) : route.error ? (
          <EmptyState failed title={route.error}>
            <Button onClick={route.reload}>{t('Try again')}</Button>
          </EmptyState>
        ) : found ? (
          <>
            <Outcome found={found} />
            <RouteTierList
              channels={found.channels}
              before={ids.length > 0 ? (whole.data?.channels ?? []) : []}
              now={now}
              leftOut={ids}
              leave={leave}
            />
            <Fallbacks found={found} choose={(name) => setQuery({ model: name, without: '' })} />
          </>
        ) : (
          <LoadingIndicator />
        )}
      </div>
    </>
  )
}

/** Returns when the first cooldown ends; 0 if no channel is in cooldown. */
function firstToEnd(found: RouteExplanation | null | undefined): number {
  const ends = (found?.channels ?? [])
    .flatMap(({ keys }) => keys.map((key) => key.cooldown_until))
    .filter((end) => end > Date.now() / 1000)
  return ends.length === 0 ? 0 : Math.min(...ends)
}

function Question({ query, set }: { query: RouteQuery; set(change: Partial<RouteQuery>): void }) {
  const t = useText()
  const [prompt, setPrompt] = useState(query.prompt)
  const isTouched = useTouched()
  const models = useEndpoint(['channels.modelsEnabled'], () => apiClient.channels.modelsEnabled(), isTouched)
  const groups = useEndpoint(['groups.list'], () => apiClient.groups.list(), isTouched)
  const tokens = useEndpoint(['tokens.list', 'own'], () => apiClient.tokens.list({ size: 100 }), isTouched)
  const size = () => set({ prompt: /^\d{1,9}$/.test(prompt.trim()) ? prompt.trim() : '' })
  return (
    <div className="route-question">
      <FormField label={t('Model')}>
        <SingleCombobox
          label={t('Model')}
          placeholder={t('The name that clients request')}
          free
          value={query.model}
          options={(models.data ?? []).map((value) => ({ value }))}
          onChange={(model) => set({ model })}
        />
      </FormField>
      <FormField label={t('Group')}>
        <SingleCombobox
          label={t('Group')}
          placeholder={t("The token's, or default")}
          clearable
          value={query.group}
          options={(groups.data ?? []).map((value) => ({ value }))}
          onChange={(group) => set({ group })}
        />
      </FormField>
      <FormField label={t('Token')}>
        <SingleCombobox
          label={t('Token')}
          placeholder={t('Name, or any ID')}
          clearable
          free
          value={query.token}
          options={(tokens.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }))}
          onChange={(token) => set({ token: /^\d{1,15}$/.test(token) ? token : '' })}
        />
      </FormField>
      <FormField label={t('Prompt tokens')}>
        <Input
          aria-label={t('Prompt tokens')}
          inputMode="numeric"
          placeholder={t('Any size')}
          value={prompt}
          onChange={setPrompt}
          onBlur={size}
          onEnterPress={size}
        />
      </FormField>
    </div>
  )
}

function Outcome({ found: { model, group, attempts, channels } }: { found: RouteExplanation }) {
  const t = useText()
  const format = useFormat()
  if (channels.length === 0)
    return <InlineNote warns>{t('No channel serves {model} to the group {group}.', { model, group })}</InlineNote>
  if (!channels.some(({ serves }) => serves))
    return <InlineNote warns>{t('No channel can be tried: calls of {model} fail now.', { model })}</InlineNote>
  return (
    <p className="route-rule">
      {t(
        'Calls of {model} in the group {group}: the highest priority first, by weight within one priority. A failing call tries up to {n} channels.',
        { model, group, n: format.number(attempts) },
      )}
    </p>
  )
}

function Fallbacks({ found: { fallbacks }, choose }: { found: RouteExplanation; choose(model: string): void }) {
  const t = useText()
  const format = useFormat()
  if (fallbacks.length === 0) return null
  return (
    <div className="route-fallbacks">
      <span>{t('After all of them have failed, calls go to:')}</span>
      {fallbacks.map(({ model, channels }) => (
        <button key={model} type="button" className="plain-button" onClick={() => choose(model)}>
          {t('{model}: {n} channels', { model, n: format.number(channels) })}
        </button>
      ))}
    </div>
  )
}
