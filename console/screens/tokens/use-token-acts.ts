// Actions on tokens, one or several: enable, disable, delete, copy, open in a chat.
import { useState } from 'react'
import { fillChatLink, type SavedChat } from '../../../core/contract/chat-links.ts'
import { toFullKey, TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useServerAddress } from '../../data/status.ts'
import { useAction, type LoadedEndpoint } from '../../data/use-endpoint.ts'
import type { PageOfRows } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { deleteWithUndo, runWithUndo } from '../../parts/overlay/undo.ts'
import type { ShownToken } from './budgets.tsx'

interface TokenActContext {
  list: LoadedEndpoint<PageOfRows<ShownToken>>
  copy(text: string, shown?: string): Promise<void>
}

/** The list contains only the ends of each key. */
const loadKey = async ({ id }: Token) => toFullKey((await apiClient.tokens.get({ id })).key)

export function useTokenActs({ list, copy }: TokenActContext) {
  const t = useText()
  const address = useServerAddress()
  const [chosen, select] = useState<(string | number)[]>([])
  const chosenTokens = () => {
    const tokens = (list.data?.rows ?? []).filter(({ id }) => chosen.map(String).includes(String(id)))
    if (tokens.length === 0) showNotice.error(t('Please select at least one token!'))
    return tokens
  }
  const joinNames = (tokens: readonly Token[]) => tokens.map(({ name }) => name).join(', ')

  const put = async ({ id }: Token, status: number) => {
    const changed = await apiClient.tokens.update({ status_only: 'true', id, status })
    list.change((data) => ({
      ...data,
      rows: data.rows.map((row) => (row.id === id ? { ...row, status: changed.status } : row)),
    }))
  }
  const [turn] = useAction(async (tokens: readonly Token[], status: number) => {
    const others = tokens.filter((token) => token.status !== status)
    if (others.length === 0) return
    const message = t(status === TOKEN_STATUS.enabled ? '{name} enabled' : '{name} disabled', {
      name: joinNames(others),
    })
    const all = async (statusOf: (token: Token) => number) => {
      for (const token of others) await put(token, statusOf(token))
    }
    await runWithUndo({ message, act: () => all(() => status), back: () => all((token) => token.status) })
  })
  const remove = (tokens: readonly Token[]) => {
    const gone = new Set(tokens.map(({ id }) => String(id)))
    select((old) => old.filter((key) => !gone.has(String(key))))
    const working = tokens.filter(({ status }) => status === TOKEN_STATUS.enabled)
    const putAll = async (status: number) => {
      for (const token of working) await put(token, status)
    }
    deleteWithUndo({
      meanwhile: { act: () => putAll(TOKEN_STATUS.disabled), back: () => putAll(TOKEN_STATUS.enabled) },
      from: 'tokens',
      ids: tokens.map(({ id }) => id),
      name: joinNames(tokens),
      act: async () => {
        for (const { id } of tokens) await apiClient.tokens.delete({ id })
        showNotice.success(t('token deleted'))
        list.reload()
      },
    })
  }
  const askAndRemove = async (tokens: readonly Token[]) => {
    const [first, ...others] = tokens
    const title =
      first && others.length === 0
        ? t('Delete token {name}?', { name: first.name })
        : t('Delete these {n} tokens?', { n: tokens.length })
    if (
      tokens.length > 0 &&
      (await askConfirmation({
        title,
        body: t('Programs that use its key stop working at once.'),
        undoable: true,
      }))
    )
      remove(tokens)
  }
  const [copyAll] = useAction(async (tokens: readonly Token[]) => {
    if (tokens.length === 0) return
    const lines = await Promise.all(tokens.map(async (token) => `${token.name}    ${await loadKey(token)}`))
    await copy(lines.join('\n'), joinNames(tokens))
  })
  const [chat] = useAction(async (token: Token, saved: SavedChat | undefined) => {
    if (saved === undefined) return showNotice.error(t('Please contact the administrator to configure chat links'))
    if (typeof saved.template !== 'string')
      return showNotice.error(t('Chat link configuration error, contact the administrator'))
    window.open(fillChatLink(saved, { key: await loadKey(token), address }), '_blank', 'noopener')
  })

  return {
    chosen,
    select,
    chosenTokens,
    keyOf: loadKey,
    copy,
    chat,
    toggle: (token: Token) =>
      turn([token], token.status === TOKEN_STATUS.enabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled),
    enable: (tokens: readonly Token[]) => turn(tokens, TOKEN_STATUS.enabled),
    disable: (tokens: readonly Token[]) => turn(tokens, TOKEN_STATUS.disabled),
    remove: askAndRemove,
    copyAll,
  }
}

export type TokenActions = ReturnType<typeof useTokenActs>
