// The columns of the token list and the actions on a token.
import { IconCopy, IconEyeClosed, IconEyeOpened } from '@douyinfe/semi-icons'
import { useState } from 'react'
import type { Team } from '../../../core/teams/team.ts'
import { maskKeyText, NEVER_EXPIRES, type Token, TOKEN_STATUS } from '../../../core/tokens/token.ts'
import { useServerStatus } from '../../data/status.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn, RowActions } from '../../parts/table/column.ts'
import { GroupTag, StateTag } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import { Button } from '../../semi.ts'
import { type ShownToken, findTightestBudget } from './budgets.tsx'
import type { TokenActions } from './use-token-acts.ts'

export function useTokenColumns(acts: TokenActions, teams: readonly Team[]): TableColumn<ShownToken>[] {
  const t = useText()
  const getTeamName = ({ team_id }: ShownToken) => teams.find(({ id }) => id === team_id)?.name ?? t('My own account')
  return [
    { key: 'name', title: t('Name'), rank: 1, width: 140, sort: 'name', card: 'title', render: ({ name }) => name },
    {
      key: 'status',
      title: t('Status'),
      rank: 1,
      width: 110,
      card: 'badge',
      render: (token) => <TokenStatus token={token} />,
    },
    {
      key: 'group',
      title: t('Token group'),
      rank: 6,
      width: 90,
      under: ['name'],
      render: ({ group }) => <GroupTag group={group} />,
    },
    { key: 'key', title: t('Key'), rank: 2, width: 165, render: (token) => <Key token={token} {...acts} /> },
    {
      key: 'used',
      title: t('Used'),
      rank: 1,
      width: 90,
      card: 'number',
      align: 'right',
      sort: 'used_quota',
      render: ({ used_quota }) => <QuotaText value={used_quota} />,
    },
    {
      key: 'remaining',
      title: t('Remaining'),
      rank: 5,
      width: 90,
      under: ['used'],
      card: 'number',
      align: 'right',
      sort: 'remain_quota',
      render: ({ unlimited_quota, remain_quota }) =>
        unlimited_quota ? <StandaloneWord>{t('unlimited')}</StandaloneWord> : <QuotaText value={remain_quota} />,
    },
    { key: 'budget', title: t('Budget'), rank: 4, width: 150, under: ['key'], render: findTightestBudget },
    ...(teams.length > 0
      ? [{ key: 'team', title: t('Team'), rank: 6, width: 100, under: ['name'], render: getTeamName }]
      : []),
    {
      key: 'used_at',
      title: t('Last used'),
      rank: 2,
      width: 105,
      sort: 'accessed_time',
      render: ({ accessed_time }) =>
        accessed_time > 0 ? <RelativeTime seconds={accessed_time} /> : <StandaloneWord>{t('not yet')}</StandaloneWord>,
    },
    {
      key: 'created',
      title: t('Created'),
      rank: 5,
      width: 100,
      under: ['used_at'],
      sort: 'created_time',
      render: ({ created_time }) => <RelativeTime seconds={created_time} />,
    },
    {
      key: 'expires',
      title: t('Expires'),
      rank: 3,
      width: 100,
      under: ['status'],
      sort: 'expired_time',
      render: ({ expired_time }) =>
        expired_time === NEVER_EXPIRES ? (
          <StandaloneWord>{t('never')}</StandaloneWord>
        ) : (
          <RelativeTime seconds={expired_time} />
        ),
    },
  ]
}

interface TokenDialogs {
  /** Shows the configuration to paste into a client. */
  connect(token: Token): void
  edit(token: ShownToken): void
}

/** The actions of a row: one as a button, the others in the menu. */
export function useTokenActions({ toggle, remove, chat }: TokenActions, { connect, edit }: TokenDialogs) {
  const t = useText()
  const { chats } = useServerStatus()
  const saved = Array.isArray(chats) ? chats.flatMap((each) => Object.entries(each)) : []
  return (token: ShownToken): RowActions => ({
    verb: { key: 'edit', label: t('Edit'), run: () => edit(token) },
    more: [
      {
        key: 'toggle',
        label: token.status === TOKEN_STATUS.enabled ? t('Disable') : t('Enable'),
        run: () => void toggle(token),
      },
      { key: 'connect', label: t('Connect a client'), run: () => connect(token) },
      ...(saved.length === 0
        ? [{ key: 'chat', label: t('Chat'), run: () => void chat(token, undefined) }]
        : saved.map(([name, template]) => ({
            key: `chat ${name}`,
            label: t('Chat: {name}', { name }),
            run: () => void chat(token, { name, template }),
          }))),
      { key: 'delete', label: t('Delete'), danger: true, divider: true, run: () => void remove([token]) },
    ],
  })
}

export function TokenStatus({ token }: { token: Token }) {
  const t = useText()
  const { color, text } = state(token, t)
  return <StateTag color={color}>{text}</StateTag>
}

function state({ status, model_limits_enabled }: Token, t: Translate) {
  if (status === TOKEN_STATUS.enabled)
    return { color: 'green', text: model_limits_enabled ? t('enabled with model limits') : t('enabled') } as const
  if (status === TOKEN_STATUS.disabled) return { color: 'red', text: t('disabled') } as const
  if (status === TOKEN_STATUS.expired) return { color: 'yellow', text: t('expired') } as const
  if (status === TOKEN_STATUS.exhausted) return { color: 'grey', text: t('exhausted') } as const
  return { color: 'grey', text: t('unknown', { context: 'state' }) } as const
}

/** Masked until it is revealed. The copy button always copies the whole key. */
function Key({ token, copy, keyOf }: { token: Token } & Pick<TokenActions, 'copy' | 'keyOf'>) {
  const t = useText()
  const [open, setOpen] = useState<string | null>(null)
  const [reveal] = useAction(async () => setOpen(open === null ? await keyOf(token) : null))
  const [copyWhole] = useAction(async () => copy(open ?? (await keyOf(token)), maskKeyText(token.key)))
  return (
    <span className="token-key">
      <code>{open ?? maskKeyText(token.key)}</code>
      <Button
        theme="borderless"
        type="tertiary"
        size="small"
        icon={open !== null ? <IconEyeClosed aria-hidden /> : <IconEyeOpened aria-hidden />}
        aria-label={`${open !== null ? t('Hide the key') : t('Show the key')}: ${token.name}`}
        onClick={() => void reveal()}
      />
      <Button
        theme="borderless"
        type="tertiary"
        size="small"
        icon={<IconCopy aria-hidden />}
        aria-label={`${t('Copy')} ${token.name}`}
        onClick={() => void copyWhole()}
      />
    </span>
  )
}

// Tokens of other users, as managers of their owner or team see them: without keys.

export function useOthersTokenColumns<T extends ShownToken>(): TableColumn<T>[] {
  const t = useText()
  return [
    { key: 'name', title: t('Name'), rank: 1, width: 160, sort: 'name', card: 'title', render: ({ name }) => name },
    {
      key: 'status',
      title: t('Status'),
      rank: 1,
      width: 120,
      card: 'badge',
      render: (token) => <TokenStatus token={token} />,
    },
    {
      key: 'used',
      title: t('Used'),
      rank: 1,
      width: 90,
      card: 'number',
      align: 'right',
      sort: 'used_quota',
      render: ({ used_quota }) => <QuotaText value={used_quota} />,
    },
    {
      key: 'remaining',
      title: t('Remaining'),
      rank: 5,
      width: 90,
      under: ['used'],
      card: 'number',
      align: 'right',
      sort: 'remain_quota',
      render: ({ unlimited_quota, remain_quota }) =>
        unlimited_quota ? <StandaloneWord>{t('unlimited')}</StandaloneWord> : <QuotaText value={remain_quota} />,
    },
    {
      key: 'used_at',
      title: t('Last used'),
      rank: 2,
      width: 105,
      sort: 'accessed_time',
      render: ({ accessed_time }) =>
        accessed_time > 0 ? <RelativeTime seconds={accessed_time} /> : <StandaloneWord>{t('not yet')}</StandaloneWord>,
    },
    {
      key: 'expires',
      title: t('Expires'),
      rank: 4,
      width: 100,
      under: ['used_at'],
      sort: 'expired_time',
      render: ({ expired_time }) =>
        expired_time === NEVER_EXPIRES ? (
          <StandaloneWord>{t('never')}</StandaloneWord>
        ) : (
          <RelativeTime seconds={expired_time} />
        ),
    },
  ]
}
