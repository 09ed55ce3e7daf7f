// The administrators' actions on a drawing or a task, in the menu of its row.
import type { TaskAdminAction } from '../../../core/tasks/task-ends.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText, texts } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import type { MenuItem } from '../../parts/overlay/menu.tsx'

const QUESTIONS = texts({
  refund: 'Refund the cost of {name}?',
  cancel: 'Cancel {name}?',
  retry: 'Retry {name}?',
})

const QUESTION_TEXTS = texts({
  refund: 'The user gets it back, once. The result stays.',
  cancel: 'It ends here as failed, and its cost is refunded. The provider may still finish it.',
  retry: 'A new task starts, and its user and token pay for it.',
})

const ACT_TEXTS = texts({ refund: 'Refund', cancel: 'Cancel task', retry: 'Retry' })

const DONE_TEXTS = texts({ refund: 'given back', cancel: 'task cancelled', retry: 'task retried' })

interface Acted {
  id: number
  status: string
  quota: number
  refunded: number
}

/** `name` is its display name. */
export function useTaskActs(isAdmin: boolean, reload: () => void): (task: Acted, name: string) => MenuItem[] {
  const t = useText()
  const [run] = useAction(async (act: TaskAdminAction, { id }: Acted, name: string) => {
    const title = t(QUESTIONS[act], { name })
    if (
      !(await askConfirmation({
        title,
        body: t(QUESTION_TEXTS[act]),
        yes: t(ACT_TEXTS[act]),
        harmless: act === 'retry',
      }))
    )
      return
    await apiClient.tasks.manage({ id, action: act })
    showNotice.success(t(DONE_TEXTS[act]))
    reload()
  })
  return (task, name) => {
    if (!isAdmin) return []
    const isOver = task.status === 'SUCCESS' || task.status === 'FAILURE'
    const item = (act: TaskAdminAction, disabled?: string): MenuItem => ({
      key: act,
      label: t(ACT_TEXTS[act]),
      run: () => void run(act, task, name),
      disabled,
      danger: act !== 'retry',
      divider: act === 'cancel',
    })
    const nothing = task.quota === 0 || task.refunded > 0
    return [
      item('cancel', isOver ? t('It is finished') : undefined),
      item('retry', isOver ? undefined : t('It is not finished')),
      item('refund', isOver ? (nothing ? t('Nothing is left to refund') : undefined) : t('It is not finished')),
    ]
  }
}
