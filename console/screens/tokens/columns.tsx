// The columns of the token list.
import { IconCopy, IconEyeClosed, IconEyeOpened } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { NEVER, TOKEN_STATUS, maskKey, type Token } from '../../../core/tokens/token.ts'
import { useTexts } from '../../data/texts.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { Quota } from '../../parts/quota.tsx'
import type { Column } from '../../parts/resource-column.ts'
import { GroupTag } from '../../parts/tags.tsx'
import { Time } from '../../parts/time.tsx'
import { Button, Tag } from '../../semi.ts'
import { words } from './texts.ts'

interface Actions {
  copy(text: string, shown?: string): Promise<void>
  /** The whole key, as clients present it. */
  keyOf(token: Token): Promise<string>
  toggle(token: Token): Promise<void>
  remove(token: Token): Promise<void>
  edit(token: Token): void
}

export function useTokenColumns(actions: Actions): Column<Token>[] {
  const t = useTexts(words)
  return [
    { key: 'name', title: t.name, card: 'title', render: ({ name }) => name },
    { key: 'status', title: t.status, render: (token) => <StatusTags token={token} /> },
    { key: 'key', title: t.key, render: (token) => <Key token={token} {...actions} /> },
    { key: 'used', title: t.used, align: 'right', render: ({ used_quota }) => <Quota value={used_quota} /> },
    {
      key: 'remaining',
      title: t.remaining,
      align: 'right',
      render: ({ unlimited_quota, remain_quota }) =>
        unlimited_quota ? <Tag color="white">{t.unlimited}</Tag> : <Quota value={remain_quota} />,
    },
    {
      key: 'created',
      title: t.created,
      render: ({ created_time }) => <Time seconds={created_time} />,
    },
    {
      key: 'expires',
      title: t.expires,
      render: ({ expired_time }) => (expired_time === NEVER ? t.never : <Time seconds={expired_time} />),
    },
    { key: 'actions', title: '', card: 'actions', render: (token) => <RowActions token={token} {...actions} /> },
  ]
}

function StatusTags({ token }: { token: Token }) {
  const t = useTexts(words)
  const { color, text } = state(token, t)
  return (
    <span className="tags">
      <Tag size="small" color={color}>
        {text}
      </Tag>
      <GroupTag group={token.group} />
    </span>
  )
}

function state({ status, model_limits_enabled }: Token, t: Record<keyof (typeof words)['en'], string>) {
  if (status === TOKEN_STATUS.enabled)
    return { color: 'green', text: model_limits_enabled ? t.limited : t.enabled } as const
  if (status === TOKEN_STATUS.disabled) return { color: 'red', text: t.disabled } as const
  if (status === TOKEN_STATUS.expired) return { color: 'yellow', text: t.expired } as const
  if (status === TOKEN_STATUS.exhausted) return { color: 'grey', text: t.exhausted } as const
  return { color: 'grey', text: t.unknown } as const
}

/** Masked until asked for; a copy is always of the whole key. */
function Key({ token, copy, keyOf }: { token: Token } & Pick<Actions, 'copy' | 'keyOf'>) {
  const t = useTexts(words)
  const [open, setOpen] = useState<string | null>(null)
  const [reveal] = useAction(async () => setOpen(open === null ? await keyOf(token) : null))
  const [copyWhole] = useAction(async () => copy(open ?? (await keyOf(token)), maskKey(token.key)))
  return (
    <span className="token-key">
      <code>{open ?? maskKey(token.key)}</code>
      <Button
        theme="borderless"
        type="tertiary"
        size="small"
        icon={open !== null ? <IconEyeClosed aria-hidden /> : <IconEyeOpened aria-hidden />}
        aria-label={open !== null ? t.hide : t.reveal}
        onClick={() => void reveal()}
      />
      <Button
        theme="borderless"
        type="tertiary"
        size="small"
        icon={<IconCopy aria-hidden />}
        aria-label={`${t.copy} ${token.name}`}
        onClick={() => void copyWhole()}
      />
    </span>
  )
}

function RowActions({ token, toggle, remove, edit }: Actions & { token: Token }) {
  const t = useTexts(words)
  return (
    <span className="row-actions">
      <Button theme="borderless" size="small" onClick={() => edit(token)}>
        {t.edit}
      </Button>
      <Button theme="borderless" type="tertiary" size="small" onClick={() => void toggle(token)}>
        {token.status === TOKEN_STATUS.enabled ? t.disable : t.enable}
      </Button>
      <ConfirmButton question={t.deleteOne} onConfirm={() => remove(token)}>
        {t.delete}
      </ConfirmButton>
    </span>
  )
}
