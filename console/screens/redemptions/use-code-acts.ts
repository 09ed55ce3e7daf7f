// Actions on codes, one or several: enable, disable, delete, copy.
import { useState } from 'react'
import { REDEMPTION_STATUS, type RedemptionCode } from '../../../core/redemptions/redemption.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useText } from '../../data/texts.tsx'
import { useAction, type LoadedEndpoint } from '../../data/use-endpoint.ts'
import type { PageOfRows } from '../../data/use-paging.ts'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { deleteWithUndo, runWithUndo } from '../../parts/overlay/undo.ts'
import { formatCodeLines } from './handed-out.ts'

interface CodeActContext {
  list: LoadedEndpoint<PageOfRows<RedemptionCode>>
  copy(text: string, shown?: string): Promise<void>
}

const putStatus = ({ id }: RedemptionCode, status: number) =>
  apiClient.redemptions.update({ status_only: 'true', id, status })

export function useCodeActs({ list, copy }: CodeActContext) {
  const t = useText()
  const [chosen, select] = useState<(string | number)[]>([])
  const chosenCodes = () => {
    const codes = (list.data?.rows ?? []).filter(({ id }) => chosen.map(String).includes(String(id)))
    if (codes.length === 0) showNotice.error(t('Please select at least one redemption code!'))
    return codes
  }
  const joinNames = (codes: readonly RedemptionCode[]) => [...new Set(codes.map(({ name }) => name))].join(', ')
  const put = async (code: RedemptionCode, status: number) => {
    const changed = await putStatus(code, status)
    list.change((data) => ({ ...data, rows: data.rows.map((row) => (row.id === code.id ? changed : row)) }))
  }
  /** Used codes stay unchanged. */
  const [turn] = useAction(async (codes: readonly RedemptionCode[], status: number, changed?: () => void) => {
    const others = codes.filter((code) => code.status !== status && code.status !== REDEMPTION_STATUS.used)
    if (others.length === 0) return
    const values = { n: others.length, name: joinNames(others) }
    const all = async (statusOf: (code: RedemptionCode) => number) => {
      try {
        for (const code of others) await put(code, statusOf(code))
      } finally {
        changed?.()
      }
    }
    await runWithUndo({
      message: t(status === REDEMPTION_STATUS.unused ? '{n} enabled: {name}' : '{n} disabled: {name}', values),
      act: () => all(() => status),
      back: () => all((code) => code.status),
    })
  })
  const remove = async (codes: readonly RedemptionCode[]) => {
    const [first, ...others] = codes
    if (!first) return
    const title =
      others.length === 0
        ? t('Delete code {name}?', { name: first.name })
        : t('Delete these {n} codes?', { n: codes.length })
    if (!(await askConfirmation({ title, undoable: true }))) return
    const ids = codes.map(({ id }) => id)
    select((old) => old.filter((key) => !ids.map(String).includes(String(key))))
    const usable = codes.filter(({ status }) => status === REDEMPTION_STATUS.unused)
    const putAll = async (status: number) => {
      for (const code of usable) await putStatus(code, status)
    }
    deleteWithUndo({
      from: 'redemptions',
      ids,
      name: joinNames(codes),
      meanwhile: {
        act: () => putAll(REDEMPTION_STATUS.disabled),
        back: () => putAll(REDEMPTION_STATUS.unused),
      },
      async act() {
        for (const id of ids) await apiClient.redemptions.delete({ id })
        showNotice.success(t('code deleted'))
        list.reload()
      },
    })
  }
  const copyAll = async (codes: readonly RedemptionCode[]) => {
    if (codes.length > 0) await copy(formatCodeLines(codes), joinNames(codes))
  }
  return { chosen, select, chosenCodes, copy, turn, remove, copyAll }
}

export type CodeActions = ReturnType<typeof useCodeActs>
