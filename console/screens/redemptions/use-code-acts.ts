// Actions on codes, one or several: enable, disable, delete, copy.
import { useState } from 'react'
import { REDEMPTION_STATUS, type Redemption } from '../../../core/redemptions/redemption.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useText } from '../../data/texts.tsx'
import { useAction, type Loaded } from '../../data/use-endpoint.ts'
import type { Rows } from '../../data/use-paging.ts'
import { askConfirmation } from '../../parts/confirm.tsx'
import { deleteWithUndo, runWithUndo } from '../../parts/undo.ts'
import { formatLines } from './handed-out.ts'

interface Surroundings {
  list: Loaded<Rows<Redemption>>
  copy(text: string, shown?: string): Promise<void>
}

const putStatus = ({ id }: Redemption, status: number) => client.redemptions.update({ status_only: 'true', id, status })

export function useCodeActs({ list, copy }: Surroundings) {
  const t = useText()
  const [chosen, select] = useState<(string | number)[]>([])
  const chosenCodes = () => {
    const codes = (list.data?.rows ?? []).filter(({ id }) => chosen.map(String).includes(String(id)))
    if (codes.length === 0) notify.error(t('Please select at least one redemption code!'))
    return codes
  }
  const joinNames = (codes: readonly Redemption[]) => [...new Set(codes.map(({ name }) => name))].join(', ')
  const put = async (code: Redemption, status: number) => {
    const changed = await putStatus(code, status)
    list.change((data) => ({ ...data, rows: data.rows.map((row) => (row.id === code.id ? changed : row)) }))
  }
  /** Used codes stay unchanged. */
  const [turn] = useAction(async (codes: readonly Redemption[], status: number, changed?: () => void) => {
    const others = codes.filter((code) => code.status !== status && code.status !== REDEMPTION_STATUS.used)
    if (others.length === 0) return
    const values = { n: others.length, name: joinNames(others) }
    const all = async (statusOf: (code: Redemption) => number) => {
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
  const remove = async (codes: readonly Redemption[]) => {
    if (codes.length === 0) return
    const title = codes.length === 1 ? t('Delete this code?') : t('Delete these {n} codes?', { n: codes.length })
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
        for (const id of ids) await client.redemptions.delete({ id })
        notify.success(t('code deleted'))
        list.reload()
      },
    })
  }
  const copyAll = async (codes: readonly Redemption[]) => {
    if (codes.length > 0) await copy(formatLines(codes), joinNames(codes))
  }
  return { chosen, select, chosenCodes, copy, turn, remove, copyAll }
}

export type CodeActs = ReturnType<typeof useCodeActs>
