// Bulk actions on channels: on the selected ones, or on all that meet a condition.
import { IconCopy } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { apiClient, RequestFailure } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { askConfirmation, type ConfirmationQuestion } from '../../parts/overlay/confirm.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { loadLater } from '../../parts/load-later.ts'
import type { MenuItem } from '../../parts/overlay/menu.tsx'
import { deleteWithUndo, runWithUndo } from '../../parts/overlay/undo.ts'
import { confirmDelete, confirmDisable } from './losses.tsx'
import { runByValue, listIds, restoreChannelStatus } from './use-tag-actions.ts'

const SetTag = loadLater(async () => (await import('./set-tag.tsx')).SetTag)

interface ChosenChannels {
  chosen: readonly Channel[]
  clear(): void
  /** Reloads the list and the health of its channels. */
  reload(): void
}

/** Maximum number of concurrent tests. */
const TESTS_AT_ONCE = 4

const disabledChannels = async (): Promise<Channel[]> => {
  const { disabled, auto_disabled } = CHANNEL_STATUS
  return (await Promise.all([disabled, auto_disabled].map((status) => apiClient.channels.search({ status })))).flat()
}

export function useBatch({ chosen, clear, reload }: ChosenChannels) {
  const t = useText()
  const [copy, copyDialog] = useCopy()
  const [tagging, setTagging] = useState(false)
  const ids = listIds(chosen)
  const n = chosen.length
  const name = t('{n} channels', { n })
  const onDone = () => {
    clear()
    reload()
  }

  const [enable] = useAction(async () => {
    await runWithUndo({
      message: t('{n} channels enabled', { n }),
      act: () => apiClient.channels.switchMany({ ids, status: CHANNEL_STATUS.enabled }),
      back: () => restoreChannelStatus(chosen).then(reload),
    })
    onDone()
  })
  const [disable] = useAction(async () => {
    if (!(await confirmDisable(ids, { title: t('Disable {name}?', { name }), yes: t('Disable') }))) return
    await runWithUndo({
      message: t('{n} channels disabled', { n }),
      act: () => apiClient.channels.switchMany({ ids, status: CHANNEL_STATUS.disabled }),
      back: () => restoreChannelStatus(chosen).then(reload),
    })
    onDone()
  })
  const [remove] = useAction(async () => {
    if (n === 0) return showNotice.error(t('Please select channels to delete first!'))
    if (!(await confirmDelete(ids, { title: t('Delete the selected channels?'), undoable: true }))) return
    clear()
    const act = async () => {
      showNotice.success(t('{n} channels deleted', { n: await apiClient.channels.deleteMany({ ids }) }))
      reload()
    }
    deleteWithUndo({ from: 'channels', ids, name, act })
  })
  const [removeDisabled] = useAction(async () => {
    const known = listIds(await disabledChannels())
    if (known.length === 0) return showNotice.info(t('all disabled channels deleted, {n} in total', { n: 0 }))
    if (!(await askConfirmation({ title: t('Delete disabled channels?'), undoable: true }))) return
    const act = async () => {
      // Skips channels that were enabled since the list was read.
      const still = listIds(await disabledChannels()).filter((id) => known.includes(id))
      const count = still.length === 0 ? 0 : await apiClient.channels.deleteMany({ ids: still })
      showNotice.success(t('all disabled channels deleted, {n} in total', { n: count }))
      reload()
    }
    deleteWithUndo({ from: 'channels', ids: known, name: t('{n} channels', { n: known.length }), act })
  })
  const [setTag, settingTag] = useAction(async (text: string) => {
    const tag = text.trim()
    if (tag === '') return showNotice.error(t('Tag cannot be empty!'))
    const back = () =>
      runByValue(
        chosen,
        (channel) => channel.tag || null,
        (some, before) => apiClient.channels.tagMany({ ids: some, tag: before }),
      ).then(reload)
    await runWithUndo({
      message: t('{n} channels tagged', { n }),
      act: () => apiClient.channels.tagMany({ ids, tag }),
      back,
    })
    setTagging(false)
    onDone()
  })
  const [testChosen, testing] = useAction(async () => {
    const left = [...ids]
    let passed = 0
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        try {
          await apiClient.channels.test({ id })
          passed += 1
        } catch (error) {
          // Already shown to the user, and stored.
          if (!(error instanceof RequestFailure)) throw error
        }
      }
    }
    await Promise.all(Array.from({ length: TESTS_AT_ONCE }, work))
    showNotice.info(t('{passed} of {n} channels passed', { passed, n }))
    reload()
  })
  const [runConfirmed] = useAction(async (question: ConfirmationQuestion, work: () => Promise<void>) => {
    if (!(await askConfirmation(question))) return
    await work()
    reload()
  })

  const ofAll: MenuItem[] = [
    {
      key: 'test',
      label: t('Test all channels'),
      run: () =>
        void runConfirmed(
          {
            title: t('Test all channels?'),
            body: t('Each channel that is not manually disabled gets one small call, free of charge.'),
            yes: t('Continue'),
            harmless: true,
          },
          async () => {
            await apiClient.channels.testAll()
            showNotice.info(t('testing of all enabled channels started, refresh to see results'))
          },
        ),
    },
    {
      key: 'balances',
      label: t('Update all balances'),
      run: () =>
        void runConfirmed(
          {
            title: t('Update the balances of all enabled channels?'),
            body: t('Channels whose balance is used up are switched off.'),
            yes: t('Continue'),
            harmless: true,
          },
          async () => {
            const { updated, failed } = await apiClient.channels.updateBalances()
            showNotice.info(
              failed === 0
                ? t('balances of all enabled channels updated')
                : t('{updated} balances updated, {failed} providers reported none', { updated, failed }),
            )
          },
        ),
    },
    {
      key: 'repair',
      label: t('Repair consistency'),
      run: () =>
        void runConfirmed(
          {
            title: t('Repair the database? Calls may fail while it runs; use only when data is broken.'),
            yes: t('Continue'),
            harmless: true,
          },
          async () => {
            showNotice.success(t('{n} channels repaired', { n: await apiClient.channels.repair() }))
          },
        ),
    },
    {
      key: 'disabled',
      label: t('Delete disabled channels'),
      danger: true,
      divider: true,
      run: () => void removeDisabled(),
    },
  ]
  const tagThem = () => (n === 0 ? showNotice.error(t('Please select channels to tag first!')) : setTagging(true))
  const toTag: MenuItem = { key: 'tag', label: t('Set tag'), run: tagThem }
  const toDelete: MenuItem = { key: 'delete', label: t('Delete selected'), danger: true, run: () => void remove() }
  return {
    /** Actions on the selected channels. */
    bulk: [
      { key: 'enable', label: t('Enable'), run: () => void enable() },
      { key: 'disable', label: t('Disable'), run: () => void disable() },
      toTag,
      { key: 'test', label: t('Test'), disabled: testing ? t('Test') : undefined, run: () => void testChosen() },
      { key: 'ids', label: t('Copy IDs'), icon: <IconCopy aria-hidden />, run: () => void copy(ids.join(',')) },
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
