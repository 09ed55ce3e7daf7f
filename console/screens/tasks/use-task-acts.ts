// The administrators' actions on a drawing or a task, in the menu of its row.
import type { TaskAct } from '../../../core/tasks/task-ends.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { askConfirmation } from '../../parts/confirm.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { words } from './act-texts.ts'

interface Acted {
  id: number
  status: string
  quota: number
  refunded: number
}

/** `name` is its display name. */
export function useTaskActs(isAdmin: boolean, reload: () => void): (task: Acted, name: string) => MenuItem[] {
  const t = useTexts(words)
  const [run] = useAction(async (act: TaskAct, { id }: Acted, name: string) => {
    const title = fillPhrase(t[`${act}Question`], { name })
    if (!(await askConfirmation({ title, body: t[`${act}Body`], yes: t[act], harmless: act === 'retry' }))) return
    await client.tasks.manage({ id, action: act })
    notify.success(t[`${act}Done`])
    reload()
  })
  return (task, name) => {
    if (!isAdmin) return []
    const isOver = task.status === 'SUCCESS' || task.status === 'FAILURE'
    const item = (act: TaskAct, disabled?: string): MenuItem => ({
      key: act,
      label: t[act],
      run: () => void run(act, task, name),
      disabled,
      danger: act !== 'retry',
      divider: act === 'cancel',
    })
    const nothing = task.quota === 0 || task.refunded > 0
    return [
      item('cancel', isOver ? t.isOver : undefined),
      item('retry', isOver ? undefined : t.isOpen),
      item('refund', isOver ? (nothing ? t.nothingLeft : undefined) : t.isOpen),
    ]
  }
}
