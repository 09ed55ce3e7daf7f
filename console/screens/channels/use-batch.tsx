// Bulk actions on channels: on the selected ones, or on all that meet a condition.
import { IconCopy } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { client, RequestFailure } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { askConfirmation, type ConfirmQuestion } from '../../parts/confirm.tsx'
import { useCopy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { deleteWithUndo, runWithUndo } from '../../parts/undo.ts'
import { Button, Input } from '../../semi.ts'
import { words } from './list-texts.ts'
import { confirmDelete, confirmDisable } from './losses.tsx'
import { runByValue, listIds, restoreStatus } from './use-tag-actions.ts'

interface Given {
  chosen: readonly Channel[]
  clear(): void
  /** Reloads the list and the health of its channels. */
  reload(): void
}

/** Maximum number of concurrent tests. */
const TESTS_AT_ONCE = 4

const disabledChannels = async (): Promise<Channel[]> => {
  const { disabled, auto_disabled } = CHANNEL_STATUS
  return (await Promise.all([disabled, auto_disabled].map((status) => client.channels.search({ status })))).flat()
}

export function useBatch({ chosen, clear, reload }: Given) {
  const t = useTexts(words)
  const [copy, copyDialog] = useCopy()
  const [tagging, setTagging] = useState(false)
  const ids = listIds(chosen)
  const n = chosen.length
  const name = fillPhrase(t.several, { n })
  const onDone = () => {
    clear()
    reload()
  }

  const [enable] = useAction(async () => {
    await runWithUndo({
      message: fillPhrase(t.enabledMany, { n }),
      act: () => client.channels.switchMany({ ids, status: CHANNEL_STATUS.enabled }),
      back: () => restoreStatus(chosen).then(reload),
    })
    onDone()
  })
  const [disable] = useAction(async () => {
    if (!(await confirmDisable(ids, { title: fillPhrase(t.disableAsk, { name }), yes: t.disableMany }))) return
    await runWithUndo({
      message: fillPhrase(t.disabledMany, { n }),
      act: () => client.channels.switchMany({ ids, status: CHANNEL_STATUS.disabled }),
      back: () => restoreStatus(chosen).then(reload),
    })
    onDone()
  })
  const [remove] = useAction(async () => {
    if (n === 0) return notify.error(t.deleteNone)
    if (!(await confirmDelete(ids, { title: t.deleteChosenAsk, undoable: true }))) return
    clear()
    const act = async () => {
      notify.success(fillPhrase(t.deleted, { n: await client.channels.deleteMany({ ids }) }))
      reload()
    }
    deleteWithUndo({ from: 'channels', ids, name, act })
  })
  const [removeDisabled] = useAction(async () => {
    const known = listIds(await disabledChannels())
    if (known.length === 0) return notify.info(fillPhrase(t.deletedDisabled, { n: 0 }))
    if (!(await askConfirmation({ title: t.deleteDisabledAsk, undoable: true }))) return
    const act = async () => {
      // Skips channels that were enabled since the list was read.
      const still = listIds(await disabledChannels()).filter((id) => known.includes(id))
      const count = still.length === 0 ? 0 : await client.channels.deleteMany({ ids: still })
      notify.success(fillPhrase(t.deletedDisabled, { n: count }))
      reload()
    }
    deleteWithUndo({ from: 'channels', ids: known, name: fillPhrase(t.several, { n: known.length }), act })
  })
  const [setTag, settingTag] = useAction(async (text: string) => {
    const tag = text.trim()
    if (tag === '') return notify.error(t.tagEmpty)
    const back = () =>
      runByValue(
        chosen,
        (channel) => channel.tag || null,
        (some, before) => client.channels.tagMany({ ids: some, tag: before }),
      ).then(reload)
    await runWithUndo({ message: fillPhrase(t.tagged, { n }), act: () => client.channels.tagMany({ ids, tag }), back })
    setTagging(false)
    onDone()
  })
  const [testChosen, testing] = useAction(async () => {
    const left = [...ids]
    let passed = 0
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        try {
          await client.channels.test({ id })
          passed += 1
        } catch (error) {
          // Already shown to the user, and stored.
          if (!(error instanceof RequestFailure)) throw error
        }
      }
    }
    await Promise.all(Array.from({ length: TESTS_AT_ONCE }, work))
    notify.info(fillPhrase(t.testedMany, { passed, n }))
    reload()
  })
  const [runConfirmed] = useAction(async (question: ConfirmQuestion, work: () => Promise<void>) => {
    if (!(await askConfirmation(question))) return
    await work()
    reload()
  })

  const ofAll: MenuItem[] = [
    {
      key: 'test',
      label: t.testAll,
      run: () =>
        void runConfirmed({ title: t.testAllAsk, body: t.testAllBody, yes: t.go, harmless: true }, async () => {
          await client.channels.testAll()
          notify.info(t.testAllDone)
        }),
    },
    {
      key: 'balances',
      label: t.balances,
      run: () =>
        void runConfirmed({ title: t.balancesAsk, body: t.balancesBody, yes: t.go, harmless: true }, async () => {
          const { updated, failed } = await client.channels.updateBalances()
          notify.info(failed === 0 ? t.balancesDone : fillPhrase(t.balancesSome, { updated, failed }))
        }),
    },
    {
      key: 'repair',
      label: t.repair,
      run: () =>
        void runConfirmed({ title: t.repairAsk, yes: t.go, harmless: true }, async () => {
          notify.success(fillPhrase(t.repaired, { n: await client.channels.repair() }))
        }),
    },
    {
      key: 'disabled',
      label: t.deleteDisabled,
      danger: true,
      divider: true,
      run: () => void removeDisabled(),
    },
  ]
  const tagThem = () => (n === 0 ? notify.error(t.tagNone) : setTagging(true))
  const toTag: MenuItem = { key: 'tag', label: t.setTag, run: tagThem }
  const toDelete: MenuItem = { key: 'delete', label: t.deleteChosen, danger: true, run: () => void remove() }
  return {
    /** Actions on the selected channels. */
    bulk: [
      { key: 'enable', label: t.enableMany, run: () => void enable() },
      { key: 'disable', label: t.disableMany, run: () => void disable() },
      toTag,
      { key: 'test', label: t.testMany, disabled: testing ? t.testMany : undefined, run: () => void testChosen() },
      { key: 'ids', label: t.copyIds, icon: <IconCopy aria-hidden />, run: () => void copy(ids.join(',')) },
      toDelete,
    ] as MenuItem[],
    ofAll,
    /** Actions that need selected channels, with a note if none is selected. */
    ofChosen: [{ ...toTag, divider: true }, toDelete],
    dialogs: (
      <>
        {copyDialog}
        {tagging && <SetTag n={n} busy={settingTag} onSave={setTag} onClose={() => setTagging(false)} />}
      </>
    ),
  }
}

interface SetTagProps {
  n: number
  busy: boolean
  onSave(tag: string): Promise<void>
  onClose(): void
}

function SetTag({ n, busy, onSave, onClose }: SetTagProps) {
  const t = useTexts(words)
  const [tag, setTag] = useState('')
  return (
    <Dialog
      title={t.setTag}
      onClose={onClose}
      onSubmit={() => void onSave(tag)}
      foot={
        <Button htmlType="submit" theme="solid" loading={busy}>
          {t.setTag}
        </Button>
      }
    >
      <Field label={t.tagName} hint={fillPhrase(t.tagCount, { n })}>
        <Input aria-label={t.tagName} value={tag} maxLength={100} onChange={setTag} />
      </Field>
    </Dialog>
  )
}
